import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { askJson, playground, query } from './client.ts';
import { useSession } from './session.ts';
import type {
  AuditRow,
  Capture,
  Key,
  KnowledgeDocument,
  Limit,
  List,
  Overview,
  Stack,
  StoredImage,
  Usage,
} from './types.ts';

const OVERVIEW_EVERY_MS = 10_000;
const CAPTURES_EVERY_MS = 15_000;
const INDEXING_EVERY_MS = 1500;
const PLAYGROUND_KEY = 'console';
const PAGE = 100;
const GALLERY_PAGE = 24;

export function useOverview(stack: string) {
  return useQuery({
    queryKey: ['overview', stack],
    queryFn: ({ signal }) => askJson<Overview>(`/overview${query({ stack })}`, { signal }),
    refetchInterval: OVERVIEW_EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

/** A list that is read page by page. */
function useList<T>(
  name: string,
  path: string,
  fields: Readonly<Record<string, string | number | undefined>>,
  every: (rows: readonly T[]) => number | false = () => false,
) {
  return useInfiniteQuery({
    queryKey: [name, fields],
    queryFn: ({ pageParam, signal }): Promise<List<T>> =>
      askJson<List<T>>(`${path}${query({ limit: PAGE, ...fields, cursor: pageParam })}`, { signal }),
    initialPageParam: '',
    getNextPageParam: (page: List<T>) => page.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => every(state.data?.pages.flatMap(({ data }) => data) ?? []),
  });
}

export const useStacks = (search = '') => useList<Stack>('stacks', '/stacks', { q: search });
export const useKeys = (fields: { stack: string; q: string }) => useList<Key>('keys', '/keys', fields);
export const useAudit = (fields: { actor: string; action: string }) =>
  useList<AuditRow>('audit', '/audit', fields);
export const useImages = (stack: string) =>
  useList<StoredImage>('images', '/images', { stack, limit: GALLERY_PAGE });
export const useKnowledge = (stack: string) =>
  useList<KnowledgeDocument>('knowledge', '/knowledge', { stack }, (rows) =>
    rows.some(({ state }) => state === 'queued' || state === 'indexing') ? INDEXING_EVERY_MS : false,
  );

export function useStack(id: string) {
  return useQuery({
    queryKey: ['stack', id],
    queryFn: ({ signal }) => askJson<Stack>(`/stacks/${encodeURIComponent(id)}`, { signal }),
  });
}

export function useLimits(stack: string) {
  return useQuery({
    queryKey: ['limits', stack],
    queryFn: ({ signal }) => askJson<List<Limit>>(`/limits${query({ stack })}`, { signal }),
    enabled: stack !== '',
  });
}

/** The models that a stack may be asked for, the served one first. */
export interface Models {
  readonly names: readonly string[];
  readonly error: Error | null;
  readonly retry: () => void;
}

export function useModels(stack: string): Models {
  const models = useQuery({
    queryKey: ['models', stack],
    queryFn: ({ signal }) =>
      askJson<List<{ readonly id: string }>>(playground(stack, '/v1/models'), { signal }),
    enabled: stack !== '',
    select: ({ data }) => data.map(({ id }) => id),
  });
  return { names: models.data ?? [], error: models.error, retry: () => void models.refetch() };
}

/** The key that the playground of a stack runs under. It is made by the first request, which is for the models. */
export function usePlaygroundKey(stack: string, models: Models) {
  const isPasted = useSession().door === 'key';
  return useQuery({
    queryKey: ['keys', 'of the playground', stack],
    queryFn: ({ signal }) =>
      askJson<Key>(`/stacks/${encodeURIComponent(stack)}/keys/${PLAYGROUND_KEY}`, { signal }),
    enabled: !isPasted && models.names.length > 0,
  });
}

export interface UsageQuestion {
  readonly since: string;
  readonly until: string;
  readonly group_by: string;
  readonly stack: string;
  readonly key: string;
  readonly limit?: number;
}

export function useUsage(question: UsageQuestion) {
  return useQuery({
    queryKey: ['usage', question],
    queryFn: ({ signal }) => askJson<Usage>(`/usage${query({ ...question })}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function useCaptures() {
  return useQuery({
    queryKey: ['captures'],
    queryFn: ({ signal }) => askJson<List<Capture>>('/captures', { signal }),
    refetchInterval: CAPTURES_EVERY_MS,
  });
}
