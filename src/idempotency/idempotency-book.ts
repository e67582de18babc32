/** A request with an Idempotency-Key as it is stored. Neither the key nor the body can be read from it. */
export interface NamedRequest {
  /** Made of the stack, the key of the caller, the route and the Idempotency-Key. */
  readonly id: string;
  readonly stackId: string;
  /** Differs when the method, the URL, the type or the body differs. */
  readonly fingerprint: string;
}

/** The right to run a request: a lease, which ends unless it is renewed. */
export interface RequestClaim {
  readonly id: string;
  readonly holder: string;
}

/** The state of a request when it was asked for. */
export type ClaimResult =
  | { readonly state: 'claimed'; readonly claim: RequestClaim }
  /** Another one runs. */
  | { readonly state: 'running'; readonly fingerprint: string }
  /** It ran, and its sealed answer was kept. */
  | { readonly state: 'kept'; readonly fingerprint: string; readonly sealed: Uint8Array };

/** The requests with an Idempotency-Key of all replicas, and their sealed answers. */
export interface IdempotencyBook {
  /** Claims a request that is not known, or whose claim ended without an answer. */
  claim(request: NamedRequest): Promise<ClaimResult>;
  /** Renews the lease of a claim that is still held. */
  renew(claim: RequestClaim): Promise<void>;
  /** Ends the claim with an answer; does nothing if another process took it over. */
  keep(claim: RequestClaim, sealed: Uint8Array): Promise<void>;
  /** Ends the claim without an answer: the next one may run. */
  release(claim: RequestClaim): Promise<void>;
}
