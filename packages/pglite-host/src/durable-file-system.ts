import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

const PRIVATE_MODE_MASK = ~0o077;

interface FileNode {
  readonly mode: number;
  name: string;
}
interface OpenFile {
  readonly nfd?: number;
  readonly node: FileNode;
}
interface NodeFileSystem {
  realPath(node: FileNode): string;
  tryFSOperation<T>(operation: () => T): T;
  readonly node_ops: {
    mknod(parent: FileNode, name: string, mode: number, device: number): FileNode;
    setattr(node: FileNode, attributes: { mode?: number }): void;
    rename(node: FileNode, folder: FileNode, name: string): void;
  };
  readonly stream_ops: {
    fsync?(file: OpenFile): number;
    write(file: OpenFile, ...rest: unknown[]): number;
  };
}
interface VirtualFileSystem {
  readonly filesystems: { readonly NODEFS: NodeFileSystem };
  isDir(mode: number): boolean;
  lookupNode(folder: FileNode, name: string): FileNode;
  destroyNode(node: FileNode): void;
}

/** Hooks of a durable file system. */
export interface FileSystemHooks {
  /** Called after every fsync that reached the disk. */
  readonly synced: () => void;
  /** Called before every write; may throw to make it fail. */
  readonly beforeWrite?: () => void;
}

type InitArguments = Parameters<NodeFS['init']>;

/** PGlite's file system on a real folder, with fsync, atomic rename and owner-only file modes added. */
export class DurableFileSystem extends NodeFS {
  readonly #hooks: FileSystemHooks;

  constructor(folder: string, hooks: FileSystemHooks) {
    super(folder);
    this.#hooks = hooks;
  }

  override async init(...[database, options]: InitArguments): ReturnType<NodeFS['init']> {
    const result = await super.init(database, options);
    const harden = (module: { FS: unknown }): void => {
      hardenFileSystem(checkedFileSystem(module.FS), this.#hooks);
    };
    result.emscriptenOpts.preRun = [...(result.emscriptenOpts.preRun ?? []), harden];
    return result;
  }
}

function checkedFileSystem(candidate: unknown): VirtualFileSystem {
  if (!isVirtualFileSystem(candidate)) {
    throw new Error('this version of PGlite hides its file system table, so fsync cannot be added to it');
  }
  return candidate;
}

function isVirtualFileSystem(candidate: unknown): candidate is VirtualFileSystem {
  if (typeof candidate !== 'object' || candidate === null || !('filesystems' in candidate)) return false;
  const table = candidate.filesystems;
  if (typeof table !== 'object' || table === null || !('NODEFS' in table)) return false;
  const names = ['isDir', 'lookupNode', 'destroyNode'];
  return names.every((name) => typeof Reflect.get(candidate, name) === 'function');
}

function hardenFileSystem(system: VirtualFileSystem, hooks: FileSystemHooks): void {
  const files = system.filesystems.NODEFS;
  addFsync(system, hooks);
  makeRenameAtomic(system);
  const { mknod, setattr } = files.node_ops;
  files.node_ops.mknod = (parent, name, mode, device) =>
    mknod(parent, name, mode & PRIVATE_MODE_MASK, device);
  files.node_ops.setattr = (node, attributes) => {
    const { mode } = attributes;
    setattr(node, mode === undefined ? attributes : { ...attributes, mode: mode & PRIVATE_MODE_MASK });
  };
  const { write } = files.stream_ops;
  files.stream_ops.write = (...writeArguments) => {
    files.tryFSOperation(() => hooks.beforeWrite?.());
    return write(...writeArguments);
  };
}

function addFsync(system: VirtualFileSystem, hooks: FileSystemHooks): void {
  const files = system.filesystems.NODEFS;
  files.stream_ops.fsync = (file) => {
    files.tryFSOperation(() => {
      if (file.nfd !== undefined && !system.isDir(file.node.mode)) fdatasyncSync(file.nfd);
      else syncFolder(files.realPath(file.node));
    });
    hooks.synced();
    return 0;
  };
}

// The original removes the target first: a kill in between would lose pg_filenode.map, and so the database.
function makeRenameAtomic(system: VirtualFileSystem): void {
  const files = system.filesystems.NODEFS;
  files.node_ops.rename = (node, folder, name) => {
    const replaced = findNode(system, folder, name);
    const target = `${files.realPath(folder)}/${name}`;
    files.tryFSOperation(() => renameSync(files.realPath(node), target));
    if (replaced !== undefined) system.destroyNode(replaced);
    node.name = name;
  };
}

function findNode(system: VirtualFileSystem, folder: FileNode, name: string): FileNode | undefined {
  try {
    return system.lookupNode(folder, name);
  } catch {
    return undefined;
  }
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
