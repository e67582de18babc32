// The gateway's browser, driven with the minimum for a print: no limits, no rules, no counting.
import { systemClock } from '../dist/lib/clock.js';
import { BrowserLauncher } from '../dist/pdf/engines/chromium/browser-launcher.js';
import { installedBrowsers } from '../dist/pdf/engines/chromium/find-browser.js';

const signal = new AbortController().signal;
const log = { info() {}, warn() {}, debug() {}, error() {} };

/** Starts the browser. */
export async function startDirectPrinter(dataDir) {
  const launcher = new BrowserLauncher({
    dataDir,
    executable: undefined,
    installed: installedBrowsers,
    sandbox: 'preferred',
    log,
    clock: systemClock,
  });
  const { process: browser } = await launcher.launch(signal);
  const { product } = await browser.pipe.call('Browser.getVersion', {}, { signal });
  return {
    version: product,
    print: (html) => print(browser.pipe, html),
    stop: async () => {
      await browser.kill();
      await launcher.close();
    },
  };
}

async function print(pipe, html) {
  const { browserContextId } = await pipe.call('Target.createBrowserContext', {}, { signal });
  const { targetId } = await pipe.call(
    'Target.createTarget',
    { url: 'about:blank', browserContextId },
    { signal },
  );
  const { sessionId } = await pipe.call('Target.attachToTarget', { targetId, flatten: true }, { signal });
  const call = (method, params = {}) => pipe.call(method, params, { sessionId, signal });
  let unlisten = () => {};
  const loaded = new Promise((resolve) => {
    unlisten = pipe.listen(sessionId, ({ method }) => {
      if (method === 'Page.loadEventFired') resolve();
    });
  });
  await call('Page.enable');
  const { frameTree } = await call('Page.getFrameTree');
  await call('Page.setDocumentContent', { frameId: frameTree.frame.id, html });
  await loaded;
  const { data } = await call('Page.printToPDF', {
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: false,
  });
  unlisten();
  await pipe.call('Target.disposeBrowserContext', { browserContextId }, { signal });
  return Buffer.from(data, 'base64').length;
}
