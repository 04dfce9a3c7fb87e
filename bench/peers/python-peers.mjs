export async function pythonPeers() {
  throw new Error('not yet');
}
