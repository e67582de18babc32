/** How many connections to a server one stack uses. */
export interface StackConnections {
  readonly stackId: string;
  taken: number;
}
