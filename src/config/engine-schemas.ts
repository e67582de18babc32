import * as z from 'zod';
import { choice, engineName, flag, fullList, httpUrl, mapping, text, wholeNumber } from './value-schemas.ts';

const seconds = { maximum: 86_400 };

function kindOf<const Kind extends string>(kind: Kind, description: string) {
  return z.literal(kind, `"${kind}"`).describe(description);
}

function apiKey() {
  return text().optional().describe('Secret sent to the server as a bearer token; absent: none is sent.');
}

/** For servers behind TLS, and keys in files. */
const serverCredentials = {
  api_key_file: text('the path of a file')
    .optional()
    .describe('File with that secret, read again at SIGHUP; either this or `api_key`.'),
  tls: mapping({
    ca: text('the path of a file')
      .optional()
      .describe("PEM certificates that the server's is checked with, in place of the system's."),
    certificate: text('the path of a file')
      .optional()
      .describe('PEM certificate that is shown to the server; goes with `key`.'),
    key: text('the path of a file').optional().describe('PEM key of that certificate.'),
  })
    .optional()
    .describe('TLS to the server; files are read again at SIGHUP.'),
};

const llama = mapping({
  kind: kindOf('llama', 'The embedded model, run by llama.cpp in a child process on the CPU.'),
  model: text()
    .optional()
    .describe(
      'Name of a model in the [catalogue](models.md), or the path of a `.gguf` file. Absent: what `stackgate models use` chose, else `smollm2-135m-instruct`.',
    ),
  threads: wholeNumber({ maximum: 256 })
    .default(1)
    .describe(
      'CPU threads of a conversation. With 1, conversations run side by side, each on a core; several share this number. More than there are free cores makes it slower.',
    ),
  sequences: wholeNumber({ maximum: 64 })
    .default(2)
    .describe(
      'Conversations of one stack answered at the same time. One more is answered where it belongs to another stack.',
    ),
  context_window: wholeNumber({ minimum: 256, maximum: 10_000_000 })
    .default(16_384)
    .describe('Tokens of prompt and answer together, per conversation.'),
  idle_pause_minutes: wholeNumber({ minimum: 0, maximum: 525_600 })
    .default(15)
    .describe('Minutes without a request after which the model leaves memory; 0: never.'),
  extraction: choice(['grounded', 'direct'])
    .default('grounded')
    .describe('How documents are extracted: values found in the text, or written freely by the model.'),
  adapter: text('"built-in", "none" or the path of a .gguf file')
    .default('built-in')
    .describe(
      "A LoRA adapter on the weights: `built-in` (the gateway's own, for `smollm2-135m-instruct`; other models have none), `none`, or the path of a `.gguf` file.",
    ),
});

const openai = mapping({
  kind: kindOf('openai', 'Any OpenAI-compatible server: vLLM, SGLang, llama-server, Ollama or a hosted one.'),
  base_url: httpUrl()
    .optional()
    .describe(
      'Address of the server up to and with `/v1`; either this or `base_urls`. Example: `http://127.0.0.1:8000/v1`.',
    ),
  base_urls: fullList(httpUrl())
    .optional()
    .describe('Addresses of several servers of the same model; either this or `base_url`.'),
  api_key: apiKey(),
  ...serverCredentials,
  model: text().describe('Name of the model as the server knows it. Example: `qwen3-32b`.'),
  context_window: wholeNumber({ minimum: 256, maximum: 10_000_000 })
    .optional()
    .describe('Tokens of prompt and answer together; absent: the server is asked. Example: `32768`.'),
  vision: flag().default(false).describe('Whether the model sees images; if not, their text is read by OCR.'),
  tokenize: choice(['auto', 'vllm', 'llama-server', 'probe'])
    .default('auto')
    .describe('How tokens are counted exactly: by which tokenize endpoint, or by a probe; `auto` finds out.'),
  timeout_seconds: wholeNumber(seconds).default(600).describe('Seconds until an answer must be complete.'),
});

const imageServer = {
  timeout_seconds: wholeNumber(seconds).default(120).describe('Seconds until an image must be complete.'),
  max_prompt_characters: wholeNumber({ maximum: 2000 })
    .default(2000)
    .describe('Characters of a prompt that the model takes; the rest is cut off.'),
};

const openaiImages = mapping({
  kind: kindOf('openai-images', 'Any server with the OpenAI image routes.'),
  base_url: httpUrl().describe(
    'Address of the server up to and with `/v1`. Example: `http://127.0.0.1:8001/v1`.',
  ),
  api_key: apiKey(),
  ...serverCredentials,
  model: text().describe('Name of the model as the server knows it. Example: `flux-schnell`.'),
  ...imageServer,
  max_references: wholeNumber({ maximum: 4 })
    .default(4)
    .describe('Reference images that the model takes in one edit; more are refused.'),
});

const sdapi = mapping({
  kind: kindOf(
    'sdapi',
    'A server with the `/sdapi/v1` routes: AUTOMATIC1111, Forge or stable-diffusion.cpp.',
  ),
  base_url: httpUrl().describe('Address of the server without a path. Example: `http://127.0.0.1:7860`.'),
  tls: serverCredentials.tls,
  model: text().describe('Name of the checkpoint. Example: `sdxl-turbo`.'),
  ...imageServer,
  max_references: wholeNumber({ maximum: 4 })
    .default(1)
    .describe(
      'Reference images that the server takes in one edit; more are refused. AUTOMATIC1111 and Forge take 1, stable-diffusion.cpp takes 4.',
    ),
});

const embeddingsServer = mapping({
  kind: kindOf('openai', 'Any server with the OpenAI embeddings route.'),
  base_url: httpUrl().describe(
    'Address of the server up to and with `/v1`. Example: `http://127.0.0.1:8002/v1`.',
  ),
  api_key: apiKey(),
  ...serverCredentials,
  model: text().describe('Name of the model as the server knows it. Example: `bge-m3`.'),
});

const diffusion = mapping({
  kind: kindOf('diffusion', 'The embedded painter, run on the CPU in a child process.'),
  threads: wholeNumber({ maximum: 256 }).default(1).describe('CPU threads.'),
  idle_pause_minutes: wholeNumber({ minimum: 0, maximum: 525_600 })
    .default(15)
    .describe('Minutes without a picture after which the painter leaves memory; 0: never.'),
});
const embeddedEmbeddings = mapping({ kind: kindOf('embedded', 'The embedded sentence encoder (English).') });

const embeddedSearch = mapping({
  kind: kindOf('embedded', 'Indexes in memory, kept as files in the folder `search` of `data_dir`.'),
  memory_bytes: wholeNumber({ minimum: 1_000_000, maximum: 1_000_000_000_000 })
    .default(1_073_741_824)
    .describe(
      'Bytes of memory for the indexes of all stacks, per process; the stacks that were not asked for the longest leave first. The stack asked last stays, whatever its size.',
    ),
});

const postgresSearch = mapping({
  kind: kindOf(
    'postgres',
    'Indexes in the database, by pgvector 0.8 or newer and the full-text search of PostgreSQL; replicas hold nothing.',
  ),
});

const ocr = mapping({
  kind: kindOf('embedded', 'The embedded reader.'),
  model: text().default('pp-ocrv6-small').describe('Name of a model in the [catalogue](models.md).'),
  threads: wholeNumber({ maximum: 256 }).default(1).describe('CPU threads.'),
});

const pdf = mapping({
  kind: kindOf('chromium', 'Headless Chromium.'),
  executable: text('the path of a program, or null')
    .nullable()
    .default(null)
    .describe('Path of the browser; null: an installed one, else the one that comes with the gateway.'),
  sandbox: choice(['required', 'preferred'])
    .default('preferred')
    .describe(
      'What to do where the browser cannot be [sandboxed](pdf.md#the-sandbox): `required` refuses documents, `preferred` prints and warns.',
    ),
  max_in_flight: wholeNumber({ maximum: 64 })
    .default(4)
    .describe(
      'Documents that are printed at the same time, per process; one more is refused. One stack gets all of these slots but one (unless there is only one), and no more than its share while others print.',
    ),
  timeout_seconds: wholeNumber(seconds).default(60).describe('Seconds until a document must be printed.'),
  memory_mb: wholeNumber({ minimum: 100, maximum: 1_000_000 })
    .default(1500)
    .describe('Megabytes the browser may use before it is ended.'),
});

const union = { error: 'a mapping with the key "kind"' };

/** The fallback replaces an absent, blank or empty value. */
function named<Engine extends z.ZodType>(engine: Engine, fallback: Readonly<Record<string, unknown>>) {
  return z
    .preprocess(
      (value) => (isBlank(value) ? fallback : value),
      z.record(engineName(), engine, 'a mapping of names to engines'),
    )
    .prefault({});
}

function single<Engine extends z.ZodType>(engine: Engine, kind: string) {
  return z.preprocess((value) => (isBlank(value) ? { kind } : value), engine).prefault({});
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Default engine names. */
export const fallbackEngineNames = { text: 'local', image: 'painter' } as const;

/** The keys under `engines`. */
export const engineShape = {
  text: named(z.discriminatedUnion('kind', [llama, openai], union), {
    [fallbackEngineNames.text]: { kind: 'llama' },
  }).describe(
    'Text engines by name; the first is the one of a stack that names none. Absent: `local`, of kind `llama`.',
  ),
  image: named(z.discriminatedUnion('kind', [diffusion, openaiImages, sdapi], union), {
    [fallbackEngineNames.image]: { kind: 'diffusion' },
  }).describe(
    'Image engines by name; the first is the one of a stack that names none. Absent: `painter`, of kind `diffusion`.',
  ),
  ocr: single(z.discriminatedUnion('kind', [ocr], union), 'embedded').describe(
    'Reads text in images and scanned pages.',
  ),
  pdf: single(z.discriminatedUnion('kind', [pdf], union), 'chromium').describe('Prints HTML to PDF.'),
  embeddings: single(
    z.discriminatedUnion('kind', [embeddedEmbeddings, embeddingsServer], union),
    'embedded',
  ).describe('Turns text into vectors for retrieval.'),
  search: single(z.discriminatedUnion('kind', [embeddedSearch, postgresSearch], union), 'embedded').describe(
    'Finds passages of the [knowledge base](knowledge.md).',
  ),
};
