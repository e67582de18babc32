import type { SchemaReport } from '@stackgate/json-schema-grammar';
import { readableJson } from './readable-json.ts';

/** The schema doctor's findings, for people. */
export function schemaReportText(file: string, report: SchemaReport): string {
  if (!report.valid) return `${file}: NOT VALID\n${report.problems.map(problemLine).join('')}`;
  const found = report.mayBeInvented.length + report.mayVanish.length;
  const paragraphs = [
    `${file}: valid\n`,
    `Enforced by the grammar: ${keywordCounts(report)}\n`,
    list(
      'Left to validation:',
      report.validatedOnly.map(({ path, keyword, message }) => `${shownPath(path)} ${keyword}: ${message}`),
    ),
    list('May be invented (required, with no way to say that nothing was found):', report.mayBeInvented),
    list('May be left out (not required):', report.mayVanish),
    `Smallest answer: ${tokens(report)}\n`,
    found === 0 ? 'No field may be invented or left out.\n' : repaired(report),
  ];
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n');
}

function problemLine({ reason, path, message }: SchemaReport['problems'][number]): string {
  return `  ${reason} at ${shownPath(path)}: ${message}\n`;
}

function shownPath(path: string): string {
  return path === '' ? 'the root' : path;
}

function keywordCounts({ enforced }: SchemaReport): string {
  const counts = new Map<string, number>();
  for (const { keyword } of enforced) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  const words = [...counts].map(([keyword, count]) => (count === 1 ? keyword : `${keyword} (${count})`));
  return words.length === 0 ? 'nothing' : words.join(', ');
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function tokens({ smallestAnswerTokens }: SchemaReport): string {
  return smallestAnswerTokens === null ? 'unknown' : `about ${smallestAnswerTokens} tokens`;
}

function repaired({ repairedSchema }: SchemaReport): string {
  if (repairedSchema === null)
    return 'No repaired schema: it would contradict itself with every field required.\n';
  return `With every field required, and null for what may be missing:\n\n${readableJson(repairedSchema)}\n`;
}
