/** How many of a server's connections one stack has. */
export interface StackPlaces {
  readonly stackId: string;
  taken: number;
}
