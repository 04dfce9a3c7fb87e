// onnxruntime-web on its WebAssembly provider: products only, since it does not train in a browser.
import * as onnxruntime from 'onnxruntime-web/wasm';
import { productModel } from './onnx-file.mjs';
import { definePeer } from './peer.mjs';

definePeer({
  async load() {
    onnxruntime.env.wasm.numThreads = 1;
    onnxruntime.env.wasm.wasmPaths = '/onnxruntime/';
  },
  async product(m, k, n, a, b) {
    const session = await onnxruntime.InferenceSession.create(productModel(m, k, n), { executionProviders: ['wasm'] });
    const factors = {
      A: new onnxruntime.Tensor('float32', a, [m, k]),
      B: new onnxruntime.Tensor('float32', b, [k, n]),
    };
    // It copies factors and product in each run, which a caller cannot avoid.
    return { run: () => session.run(factors), result: async () => (await session.run(factors)).C.data };
  },
});
