/** A file that uses every section, as shown in docs/configuration.md; it needs the variables below. */
export const configurationExample = `server:
  host: 0.0.0.0
  port: 8080                          # 0: any free port
  trust_proxy: [10.0.0.0/8]           # whose X-Forwarded-For counts
  drain_delay_seconds: 5              # still served after SIGTERM
  cors:
    origins: [https://app.example.com]

data_dir: /var/lib/stackgate          # created with mode 0700
database:                             # leave out for the embedded database
  url: \${POSTGRES_URL}
blobs:                                # leave out to keep images in data_dir
  url: s3://stackgate-images/production
  endpoint: https://s3.example.com
  region: eu-central-1
  access_key_id: stackgate
  secret_access_key: \${S3_SECRET}
backups:                              # leave out: only "stackgate backup" makes them
  to: s3://stackgate-backups/production
  schedule: "03:30"                   # UTC
  recipients: [age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p]

log: { level: info, format: json }
retention: { images_days: 30, files_days: 30, responses_days: 30, usage_days: 400 }

files: { max_bytes: 52428800 }
extraction: { hints: true }
console:
  enabled: true                       # auto: at the loopback, or behind https
  oidc:                               # leave out to log in with passwords
    issuer: https://login.example.com
    client_id: stackgate
    client_secret: \${OIDC_SECRET}
    roles: { claim: groups, operator: [ai-operators], read_only: [auditors], member: { shop-team: shop } }
telemetry: { otlp_endpoint: null, sample_ratio: 0.1 }

engines:
  text:                               # the first one serves stacks that name none
    gpu:
      kind: openai                    # any OpenAI-compatible server
      base_urls: [http://10.0.0.5:8000/v1, http://10.0.0.6:8000/v1]
      api_key: \${GPU_KEY}
      model: qwen3-32b                # the name sent to the server
      context_window: 32768
      vision: true
      tokenize: vllm
      timeout_seconds: 600
    hosted: { kind: openai, base_url: https://api.example.com/v1, api_key: \${HOSTED_KEY}, model: large }
    local:
      kind: llama                     # embedded, on the CPU
      model: smollm2-135m-instruct
      threads: 2
      sequences: 2
      context_window: 16384
      idle_pause_minutes: 15
      extraction: grounded
      adapter: built-in               # of the gateway, for the default model; none, or the path of a .gguf file
  image:
    flux:
      kind: openai-images
      base_url: http://10.0.0.7:8001/v1
      api_key: \${IMAGE_KEY}
      model: flux-schnell
      timeout_seconds: 120
      max_prompt_characters: 2000
    forge: { kind: sdapi, base_url: http://10.0.0.8:7860, model: sdxl-turbo }
    painter: { kind: diffusion }      # embedded, on the CPU
  ocr: { kind: embedded, model: pp-ocrv6-small, threads: 1 }
  pdf: { kind: chromium, executable: null, sandbox: preferred, max_in_flight: 4, timeout_seconds: 60, memory_mb: 1500 }
  embeddings: { kind: openai, base_url: http://10.0.0.9:8002/v1, model: bge-m3 }
  search: { kind: embedded, memory_bytes: 1073741824 }

plans:                                # only what differs
  go:
    tokens_per_day: 200000            # null: no limit
    requests_per_minute: 60
    concurrent_requests: 4
    context_window: null
    extraction: { files: 1, document_bytes: 8000000, pages: 15, image_bytes: 5000000, megapixels: 20 }
    pdf: { html_bytes: 2000000, pages: 20 }
    images: { submissions_per_minute: 10, in_flight: 3, rendering: 1, queue_wait_seconds: 60 }

prices:                               # of a million tokens, and of an image
  currency: EUR
  models:
    qwen3-32b: { input: 0.5, cached_input: 0.1, output: 1.5 }
    flux-schnell: { image: 0.02 }
    bge-m3: { input: 0.01 }           # embeddings
budgets:
  webhook: { url: https://ops.example.com/hook, secret: \${HOOK_SECRET} }
  accounts: { acme: { hard: 500, soft: 400 } }   # per calendar month

stacks:
  - id: shop
    account: acme
    plan: pro
    image_plan: true
    text: [gpu, hosted]               # the first is served, the second stands in when it fails
    models: [qwen3-32b]               # what clients may send as model
    image: flux
    system_prompt: "You are the shop's assistant."
    temperature: 0.7
    budget: { hard: 200, soft: 150 }
    knowledge: [docs/handbook.md, docs/prices.pdf]
    keys:
      - { id: web, secret: \${WEB_KEY} }
      - id: art                       # without a secret one is generated
        prompt: a watercolour fox
        retrieval: true
        knowledge: write
        expires_at: 2027-01-01T00:00:00Z
        scopes: [images, models]      # the parts of the API that it may use
        allowed_ips: [10.0.0.0/8]
        own_images_only: true
        budget: { hard: 20 }
  - id: research
    account: acme
    plan: enterprise
    paused: true
    limits: { tokens_per_day: null, extraction: { pages: 400 } }
`;

/** The variables that the example reads. */
export const exampleEnvironment = {
  POSTGRES_URL: 'postgres://stackgate:password@db.example.com/stackgate',
  S3_SECRET: 'example-s3-secret',
  GPU_KEY: 'example-gpu-key',
  HOSTED_KEY: 'example-hosted-key',
  IMAGE_KEY: 'example-image-key',
  OIDC_SECRET: 'example-oidc-secret',
  WEB_KEY: 'example-web-key-of-the-shop',
  HOOK_SECRET: 'example-secret-of-the-hook',
};
