import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

const answerBoundMs = 60_000;

/** Messages of the keeper about its folder and server. */
type ServerReport =
  | { readonly state: 'opened'; readonly folder: string }
  | { readonly state: 'ready'; readonly pid: number }
  | { readonly state: 'stopped'; readonly log: string };

type ReportOf<State> = Extract<ServerReport, { readonly state: State }>;

/** The result of a start. */
export type StartReport = ReportOf<'ready' | 'stopped'>;

/** This process's end of the channel to a keeper; it keeps the process alive only while waiting for an answer. */
export class KeeperLink {
  readonly #keeper: ChildProcess;
  #folder: string | undefined;
  #serverPid: number | undefined;

  constructor(keeper: ChildProcess) {
    this.#keeper = keeper;
    keeper.on('message', (message) => this.#note(message));
    keeper.once('exit', () => this.#cleanUpAfterKeeper());
    this.#hold(false);
  }

  get serverPid(): number | undefined {
    return this.#serverPid;
  }

  /** The folder that the keeper created and will remove. */
  async openFolder(): Promise<string> {
    const report = await this.#nextReport(['opened']);
    return report.folder;
  }

  /** Resolves when the server accepts connections, or has failed. */
  async startServer(settings: readonly string[]): Promise<StartReport> {
    this.#send({ command: 'start', settings });
    return await this.#nextReport(['ready', 'stopped']);
  }

  /** Resolves when the server's process is gone. */
  async stopServer(signal: NodeJS.Signals): Promise<void> {
    this.#send({ command: 'stop', signal });
    await this.#nextReport(['stopped']);
  }

  /** Kills the server and removes its data. */
  async end(): Promise<void> {
    if (this.#keeper.exitCode !== null || this.#keeper.signalCode !== null) return;
    this.#keeper.ref();
    const exited = new Promise((resolve) => this.#keeper.once('exit', resolve));
    if (this.#keeper.connected) this.#keeper.disconnect();
    await exited;
  }

  #send(message: object): void {
    if (!this.#keeper.connected) throw new Error('this PostgreSQL was disposed');
    this.#keeper.send(message);
  }

  #nextReport<State extends ServerReport['state']>(states: readonly State[]): Promise<ReportOf<State>> {
    const keeper = this.#keeper;
    this.#hold(true);
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        keeper.off('message', onMessage).off('exit', onExit);
        this.#hold(false);
        settle();
      };
      const fail = (reason: string) => finish(() => reject(new Error(reason)));
      const onMessage = (answer: unknown) => {
        if (isOneOf(answer, states)) finish(() => resolve(answer));
      };
      const onExit = () => fail('the keeper of this PostgreSQL ended');
      const timer = setTimeout(() => fail('PostgreSQL did not answer in time'), answerBoundMs);
      keeper.on('message', onMessage).once('exit', onExit);
    });
  }

  #note(message: unknown): void {
    if (isOneOf(message, ['opened'])) this.#folder = message.folder;
    if (isOneOf(message, ['ready'])) this.#serverPid = message.pid;
    if (isOneOf(message, ['stopped'])) this.#serverPid = undefined;
  }

  #hold(isHeld: boolean): void {
    for (const handle of [this.#keeper, this.#keeper.channel]) {
      if (isHeld) handle?.ref();
      else handle?.unref();
    }
  }

  /** A killed keeper leaves its server running and its files behind. */
  #cleanUpAfterKeeper(): void {
    if (this.#serverPid !== undefined) killIfAlive(this.#serverPid);
    this.#serverPid = undefined;
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // It ended with its keeper.
  }
}

function isOneOf<State extends ServerReport['state']>(
  message: unknown,
  states: readonly State[],
): message is ReportOf<State> {
  if (typeof message !== 'object' || message === null || !('state' in message)) return false;
  return states.some((state) => state === message.state);
}
