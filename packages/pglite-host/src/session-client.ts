import { MessageFramer, startupCode } from './message-framer.ts';
import {
  END_UNIT,
  endsUnit,
  isKnownType,
  makeUnit,
  type StatementChange,
  type Unit,
} from './session-unit.ts';
import {
  encodeError,
  encodeMessage,
  fromClient,
  type ServerError,
  typeOf,
  WireProtocolError,
} from './wire-messages.ts';

/** Most named statements of one connection. */
const MAX_PREPARED_STATEMENTS = 1_000;
/** Most bytes of waiting requests of one connection. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
const NEGOTIATE_PROTOCOL = 0x76;

/** The sending side of a connection. */
export interface ClientChannel {
  send(bytes: Buffer): void;
  /** Ends the connection; with an error, as broken. */
  end(error?: Error): void;
}

/** Callbacks of a session client to its multiplexer. */
export interface ClientEvents {
  readonly greeting: () => Buffer | undefined;
  /** Called when a unit is waiting or the client has gone. */
  readonly changed: () => void;
}

/** One connection: its waiting units and its prepared statements. */
export class SessionClient {
  readonly statements = new Map<string, Buffer>();
  readonly idleLimitMs: number;
  unnamedStatement: Buffer | undefined;
  /** Another connection may have replaced the unnamed statement. */
  isUnnamedLost = false;
  /** It has used the session, so it may have left state there. */
  hasExecuted = false;
  /** The multiplexer's statement generation in which this client's statements were prepared. */
  generation = 0;
  readonly #channel: ClientChannel;
  readonly #events: ClientEvents;
  readonly #prefix: string;
  readonly #framer = new MessageFramer('startup');
  #messages: Buffer[] = [];
  #units: Unit[] = [];
  #waitingBytes = 0;
  #isGone = false;

  constructor(options: { id: number; channel: ClientChannel; events: ClientEvents; idleLimitMs: number }) {
    this.#channel = options.channel;
    this.#events = options.events;
    this.#prefix = `c${options.id}:`;
    this.idleLimitMs = options.idleLimitMs;
  }

  /** Whether the connection has ended. */
  get isGone(): boolean {
    return this.#isGone;
  }

  get hasUnit(): boolean {
    return this.#units.length > 0;
  }

  /** Handles bytes from the client. */
  receive(chunk: Buffer): void {
    if (this.#isGone) return;
    try {
      for (const { isStartup, bytes } of this.#framer.push(chunk)) {
        if (this.#isGone) return;
        if (isStartup) this.#receiveStartup(bytes);
        else this.#receiveMessage(bytes);
      }
    } catch (error) {
      if (!(error instanceof WireProtocolError)) throw error;
      this.refuse({ severity: 'FATAL', sqlState: '08P01', message: error.message });
    }
  }

  takeUnit(): Unit | undefined {
    const unit = this.#units.shift();
    if (unit !== undefined) this.#waitingBytes -= unit.bytes.length;
    return unit;
  }

  send(bytes: Buffer): void {
    if (!this.#isGone) this.#channel.send(bytes);
  }

  /** Sends the error and ends the connection. */
  refuse(error: ServerError): void {
    this.send(encodeError(error));
    this.leave();
  }

  /** Ends the connection; called for either side. */
  leave(error?: Error): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#units = [];
    this.#messages = [];
    this.#channel.end(error);
    this.#events.changed();
  }

  /** Records a change that the server has confirmed. */
  applyChange(change: StatementChange): void {
    if (change.type === 'close') {
      if (change.name === '') this.unnamedStatement = undefined;
      else this.statements.delete(change.name);
    } else if (change.name === '') {
      this.unnamedStatement = change.message;
    } else {
      this.statements.set(change.name, change.message);
      if (this.statements.size > MAX_PREPARED_STATEMENTS)
        this.#refuseAsTooMuch('too many prepared statements');
    }
  }

  #receiveStartup(packet: Buffer): void {
    const code = packet.readInt32BE(4);
    if (code === startupCode.tls || code === startupCode.gssEncryption) this.send(Buffer.from('N'));
    else if (code === startupCode.cancel) this.leave();
    else this.#greet(packet);
  }

  #greet(packet: Buffer): void {
    const greeting = this.#events.greeting();
    if (packet.readUInt16BE(4) !== 3) {
      this.refuse({ severity: 'FATAL', sqlState: '0A000', message: 'unsupported protocol version' });
    } else if (greeting === undefined) {
      this.refuse({ severity: 'FATAL', sqlState: '57P03', message: 'the database is starting up' });
    } else {
      if (packet.readUInt16BE(6) > 0) this.send(encodeMessage(NEGOTIATE_PROTOCOL, Buffer.alloc(8)));
      this.send(greeting);
    }
  }

  #receiveMessage(message: Buffer): void {
    if (!isKnownType(message)) throw new WireProtocolError(`unknown message type ${typeOf(message)}`);
    if (typeOf(message) === fromClient.terminate) {
      this.#addUnit(END_UNIT);
      return;
    }
    this.#messages.push(message);
    this.#waitingBytes += message.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) {
      this.#refuseAsTooMuch('too much is waiting');
    } else if (endsUnit(message)) {
      const sizeBytes = this.#messages.reduce((sum, each) => sum + each.length, 0);
      const unit = makeUnit(this.#messages, this.#prefix);
      this.#messages = [];
      this.#waitingBytes += unit.bytes.length - sizeBytes;
      this.#addUnit(unit);
    }
  }

  #addUnit(unit: Unit): void {
    this.#units.push(unit);
    this.#events.changed();
  }

  #refuseAsTooMuch(message: string): void {
    this.refuse({ severity: 'FATAL', sqlState: '54000', message });
  }
}
