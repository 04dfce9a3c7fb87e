// A one-node Slurm in its own folder. Its daemons are started here, without systemd, and can be killed and restarted.
// Daemons get no pipe, because the process that starts one would wait until all its descendants have closed the pipe.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { hostname, totalmem, userInfo } from 'node:os';
import { join } from 'node:path';

const daemons = ['slurmctld', 'slurmd'] as const;
const [machine] = hostname().split('.') as [string];
/** Many times the duration of a task on a busy machine. */
const PATIENCE_MS = 30_000;

const pause = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));

/** A port that nobody listens on. */
const freePort = async (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

export class Slurm {
  readonly environment: NodeJS.ProcessEnv;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.environment = { ...process.env, SLURM_CONF: join(folder, 'slurm.conf') };
  }

  /** Resolves when the node is ready. */
  static async start(folder: string): Promise<Slurm> {
    for (const name of ['run', 'state', 'spool']) mkdirSync(join(folder, name), { recursive: true });
    const slurm = new Slurm(folder);
    writeFileSync(join(folder, 'munge.key'), randomBytes(1024), { mode: 0o400 });
    writeFileSync(join(folder, 'slurm.conf'), configuration(folder, await freePort(), await freePort()));
    const files = {
      'key-file': 'munge.key',
      socket: 'run/munge.socket',
      'pid-file': 'run/munged.pid',
      'log-file': 'munged.log',
      'seed-file': 'munge.seed',
    };
    const places = Object.entries(files).map(([name, file]) => `--${name}=${join(folder, file)}`);
    execFileSync('munged', ['--force', ...places], { stdio: 'ignore' });
    try {
      await slurm.startDaemons();
    } catch (error) {
      await slurm.stop();
      throw error;
    }
    return slurm;
  }

  /** A daemon whose port is still in use ends, so it is restarted until the node answers. */
  async startDaemons(): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      if (tries % 20 === 0) {
        for (const name of daemons) {
          if (!this.#isUp(name)) spawnSync(name, { env: this.environment, stdio: 'ignore' });
        }
        this.#resumeNode();
      }
      const { stdout } = this.run('sinfo', ['--noheader', '--format=%T']);
      if (/^(idle|mixed|allocated)/.test(stdout) && daemons.every((name) => this.#isUp(name))) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error(`the node does not answer: ${daemons.map((name) => this.#lastWord(name)).join('; ')}`);
  }

  /**
   * A killed controller knows the tasks of some seconds ago, starts them again under the numbers of running tasks, and drains the
   * node, which refuses them. Resuming the node is then up to an administrator.
   */
  #resumeNode(): void {
    const { stdout } = this.run('sinfo', ['--noheader', '--format=%T']);
    if (/^(drain|down)/.test(stdout)) this.run('scontrol', ['update', `NodeName=${machine}`, 'State=RESUME']);
  }

  #lastWord(name: string): string {
    const log = join(this.#folder, `${name}.log`);
    return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)! : `${name} has no log`;
  }

  #pidOf(name: string): number {
    return Number(readFileSync(join(this.#folder, `run/${name}.pid`), 'utf8'));
  }

  #isUp(name: string): boolean {
    try {
      return isRunning(this.#pidOf(name));
    } catch {
      return false;
    }
  }

  /** Like a power failure of the machine. */
  async killDaemons(): Promise<void> {
    await Promise.all(daemons.map((name) => this.#end(name, 'SIGKILL')));
  }

  /** Resolves once the daemon has ended. */
  async #end(name: string, signal: NodeJS.Signals): Promise<void> {
    try {
      const pid = this.#pidOf(name);
      process.kill(pid, signal);
      while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    } catch {
      // It does not run.
    }
  }

  run(program: string, words: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', env: this.environment });
    return { status, stdout, stderr };
  }

  /** The number of waiting or running tasks. */
  tasks(): number {
    const { stdout } = this.run('squeue', ['--noheader', '--array', '--format=%i']);
    return stdout.split('\n').filter((line) => line !== '').length;
  }

  /** Resolves when no task is left. Tasks that Slurm holds after a failure are cancelled once `progress` has not changed for a long time. */
  async idle(progress: () => number): Promise<void> {
    let [before, since] = [progress(), Date.now()];
    while (this.tasks() > 0) {
      await pause();
      const now = progress();
      if (now !== before) [before, since] = [now, Date.now()];
      else if (Date.now() - since > PATIENCE_MS) return this.#cancelAll();
      this.#resumeNode();
    }
  }

  async #cancelAll(): Promise<void> {
    this.run('scancel', ['--user', userInfo().username]);
    for (let tries = 0; this.tasks() > 0 && tries < 100; tries++) await pause();
  }

  async stop(): Promise<void> {
    await this.#cancelAll();
    await this.killDaemons();
    await this.#end('munged', 'SIGTERM');
  }
}

/** An ended process may stay in the list until its parent has read its exit status. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function configuration(folder: string, controllerPort: number, nodePort: number): string {
  const user = userInfo().username;
  const lines = {
    ClusterName: 'one',
    SlurmctldHost: `${machine}(127.0.0.1)`,
    SlurmUser: user,
    SlurmdUser: user,
    AuthType: 'auth/munge',
    AuthInfo: `socket=${join(folder, 'run/munge.socket')}`,
    ProctrackType: 'proctrack/linuxproc',
    TaskPlugin: 'task/none',
    SelectType: 'select/cons_tres',
    SelectTypeParameters: 'CR_CPU',
    ReturnToService: '2',
    MpiDefault: 'none',
    StateSaveLocation: join(folder, 'state'),
    SlurmdSpoolDir: join(folder, 'spool'),
    SlurmctldPidFile: join(folder, 'run/slurmctld.pid'),
    SlurmdPidFile: join(folder, 'run/slurmd.pid'),
    SlurmctldLogFile: join(folder, 'slurmctld.log'),
    SlurmdLogFile: join(folder, 'slurmd.log'),
    // The number of CPUs given below, whatever the machine has.
    SlurmdParameters: 'config_overrides',
    SlurmctldPort: String(controllerPort),
    SlurmdPort: String(nodePort),
    SchedulerParameters: 'bf_interval=1,sched_min_interval=0',
    MinJobAge: '2',
    KillWait: '2',
    PartitionName: 'all Nodes=ALL Default=YES MaxTime=INFINITE State=UP',
  };
  const node = `NodeName=${machine} NodeAddr=127.0.0.1 CPUs=2 RealMemory=${String(Math.floor(totalmem() / 2 ** 20))} State=UNKNOWN`;
  const { PartitionName, ...others } = lines;
  return [
    ...Object.entries(others).map(([name, value]) => `${name}=${value}`),
    node,
    `PartitionName=${PartitionName}`,
    '',
  ].join('\n');
}
