import { checkTree } from './check-tree.ts';
import { readChosenModel, withChosenModel } from './chosen-model.ts';
import type { Config } from './config.ts';
import { type ConfigSource, type ReadConfigFile, readConfigFile } from './config-file.ts';
import { ConfigInvalid } from './config-problem.ts';
import { ConfigTree } from './config-tree.ts';
import { withCredentialFiles } from './credential-files.ts';
import { readEnvironmentOverrides } from './environment-overrides.ts';
import { parseYaml } from './parse-yaml.ts';
import { resolveConfig } from './resolve-config.ts';

/** Reads and validates the configuration; throws ConfigInvalid with every problem at once. */
export async function loadConfig(source: ConfigSource): Promise<Config> {
  const config = await withCredentialFiles(parseConfig(await readConfigFile(source), source));
  return withChosenModel(config, await readChosenModel(config.dataDir));
}

/** Validates what was read; throws ConfigInvalid with every problem at once. */
export function parseConfig(read: ReadConfigFile, source: ConfigSource): Config {
  const { file } = read;
  const environment = readEnvironmentOverrides(source.environment);
  const parsed = file ? parseYaml(file, source.environment) : { tree: new ConfigTree(), problems: [] };
  const checked = parsed.tree ? checkTree(parsed.tree, file?.name ?? '') : { problems: [] };
  const problems = [...read.problems, ...parsed.problems, ...checked.problems, ...environment.problems];
  if (problems.length > 0 || checked.values === undefined) throw new ConfigInvalid(problems);
  return resolveConfig({
    values: checked.values,
    overrides: environment.overrides,
    workingDirectory: source.workingDirectory,
    filePath: file?.path,
  });
}
