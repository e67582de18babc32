import type { _Object, ListObjectsV2Command, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import type { BucketLocation } from './s3-client.ts';

export interface BucketListing {
  readonly sdk: Pick<typeof import('@aws-sdk/client-s3'), 'ListObjectsV2Command'>;
  readonly location: BucketLocation;
  send(command: ListObjectsV2Command): Promise<ListObjectsV2CommandOutput>;
}

/** Lists the objects of a location by name; one request for each thousand. */
export async function* listObjects({ sdk, location, send }: BucketListing): AsyncGenerator<_Object> {
  let token: string | undefined;
  do {
    const page = await send(
      new sdk.ListObjectsV2Command({
        Bucket: location.bucket,
        Prefix: location.prefix,
        ...(token !== undefined && { ContinuationToken: token }),
      }),
    );
    yield* page.Contents ?? [];
    token = page.NextContinuationToken;
  } while (token !== undefined);
}
