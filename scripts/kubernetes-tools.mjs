// Puts helm, kubeconform and the schemas of Kubernetes into ~/.cache/stackgate-e2e/kubernetes, where the tests of deploy/ look for
// them. Needs Go and Python with pip, and takes some minutes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAMS = ['helm.sh/helm/v3/cmd/helm@v3.16.4', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7'];
/** A package of Python that carries the schemas of many versions. */
const SCHEMAS = { package: 'kubernetes-validate==1.37.0', version: 'v1.37.0-local-strict' };

const target = join(homedir(), '.cache', 'stackgate-e2e', 'kubernetes');
mkdirSync(join(target, 'schemas'), { recursive: true });
for (const program of PROGRAMS)
  run('go', ['install', program], { ...process.env, GOBIN: target, CGO_ENABLED: '0' });
const aside = mkdtempSync(join(tmpdir(), 'stackgate-schemas-'));
try {
  run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', aside, SCHEMAS.package]);
  const schemas = join(aside, 'kubernetes_validate', 'kubernetes-json-schema', SCHEMAS.version);
  for (const name of readdirSync(schemas)) {
    // They refer to each other by addresses, and are to be found as files.
    const { $id, ...schema } = JSON.parse(readFileSync(join(schemas, name), 'utf8'));
    writeFileSync(join(target, 'schemas', name), JSON.stringify(schema).replaceAll('"/api/', '"'));
  }
} finally {
  rmSync(aside, { recursive: true, force: true });
}

function run(command, words, env = process.env) {
  execFileSync(command, words, { stdio: 'inherit', env });
}
