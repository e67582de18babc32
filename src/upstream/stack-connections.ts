/** How many of a server's connections one stack has. */
export interface StackConnections {
  readonly stackId: string;
  taken: number;
}
