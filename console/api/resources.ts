import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { askJson, playground, query } from './client.ts';
import { useSession } from './session.ts';
import type {
  AuditRow,
  Capture,
  Key,
  KnowledgeDocument,
  List,
  Overview,
  ShownStack,
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

type AskedKeys = Readonly<Record<'stack' | 'q', string>>;

const keysOf = (fields: AskedKeys) => ['keys', fields] as const;

interface ListTimes<T> {
  /** When it is read again by itself. */
  readonly every?: (rows: readonly T[]) => number | false;
  readonly staleTime?: number;
}

/** A list that is read page by page. */
function useList<T>(
  name: string,
  path: string,
  fields: Readonly<Record<string, string | number | undefined>>,
  { every = () => false, staleTime }: ListTimes<T> = {},
) {
  return useInfiniteQuery({
    queryKey: [name, fields],
    queryFn: ({ pageParam, signal }): Promise<List<T>> =>
      askJson<List<T>>(`${path}${query({ limit: PAGE, ...fields, cursor: pageParam })}`, { signal }),
    initialPageParam: '',
    getNextPageParam: (page: List<T>) => page.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
    ...(staleTime !== undefined && { staleTime }),
    refetchInterval: ({ state }) => every(state.data?.pages.flatMap(({ data }) => data) ?? []),
  });
}

export const useStacks = (search = '') => useList<Stack>('stacks', '/stacks', { q: search });
export const useKeys = (fields: AskedKeys) => useList<Key>('keys', '/keys', fields);
/** The keys of a stack whose page is shown: `useStack` brings and refreshes the first of them. */
export const useKeysOfShown = (stack: string) =>
  useList<Key>('keys', '/keys', { stack, q: '' }, { staleTime: Number.POSITIVE_INFINITY });
export const useAudit = (fields: { actor: string; action: string }) =>
  useList<AuditRow>('audit', '/audit', fields);
export const useImages = (stack: string) =>
  useList<StoredImage>('images', '/images', { stack, limit: GALLERY_PAGE });
export const useKnowledge = (stack: string) =>
  useList<KnowledgeDocument>(
    'knowledge',
    '/knowledge',
    { stack },
    {
      every: (rows) =>
        rows.some(({ state }) => state === 'queued' || state === 'indexing') ? INDEXING_EVERY_MS : false,
    },
  );

function showKeys(client: QueryClient, stack: string, first: List<Key>): void {
  const queryKey = keysOf({ stack, q: '' });
  const shown = client.getQueryData<InfiniteData<List<Key>>>(queryKey);
  // Of a longer list that is in view all is read again, so that nothing of it vanishes.
  if ((shown?.pages.length ?? 0) > 1) void client.invalidateQueries({ queryKey });
  else client.setQueryData(queryKey, { pages: [first], pageParams: [''] });
}

/** A stack with its limits and keys, in one request; the list of its keys goes on from there. */
export function useStack(id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ['stack', id],
    queryFn: async ({ signal }) => {
      const path = `/stacks/${encodeURIComponent(id)}${query({ include: 'keys,limits', limit: PAGE })}`;
      const { included, ...stack } = await askJson<ShownStack>(path, { signal });
      showKeys(client, id, included.keys);
      return { ...stack, currentLimits: included.limits };
    },
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
  /** The sums of each day besides. */
  readonly days?: 'true';
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
