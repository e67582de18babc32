import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isStale } from './api-error.ts';

interface ChangeProps<T> {
  readonly send: () => Promise<T>;
  /** Names of the queries that are read again before the change is done. */
  readonly touches: readonly string[];
  readonly onDone?: (result: T) => void;
}

/** A change that the gateway is asked for by a form or a button. */
export function useChange<T>({ send, touches, onDone }: ChangeProps<T>) {
  const client = useQueryClient();
  const readAgain = () => Promise.all(touches.map((name) => client.invalidateQueries({ queryKey: [name] })));
  return useMutation({
    mutationFn: send,
    onSuccess: async (result) => {
      await readAgain();
      onDone?.(result);
    },
    // The page then shows what the other person has made of it.
    onError: (error) => isStale(error) && void readAgain(),
  });
}
