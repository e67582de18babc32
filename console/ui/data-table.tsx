import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { memo, type ReactNode, useMemo, useState } from 'react';
import { Icon } from './icon.tsx';

/** A column of a table. */
export interface Column<T> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /** The value to sort by; without it the column cannot be sorted. */
  readonly sortBy?: (row: T) => string | number;
  /** Numbers stand on the right. */
  readonly right?: boolean;
  /** Left out where the screen is narrower. */
  readonly from?: 'sm' | 'md' | 'lg' | 'xl';
  readonly headerHidden?: boolean;
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});
type Features = typeof features;

const FROM = {
  sm: 'hidden sm:table-cell',
  md: 'hidden md:table-cell',
  lg: 'hidden lg:table-cell',
  xl: 'hidden xl:table-cell',
} as const;

interface DataTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowId: (row: T) => string;
  readonly initialSort?: SortingState;
  /** Rows that are of the past: revoked, disabled. */
  readonly isFaded?: (row: T) => boolean;
  /** Many short rows. */
  readonly dense?: boolean;
}

/** Rows in columns; a click on a heading sorts. */
export function DataTable<T extends object>({
  label,
  columns,
  rows,
  rowId,
  initialSort,
  isFaded,
  dense = false,
}: DataTableProps<T>) {
  const [sorting, setSorting] = useState<SortingState>(initialSort ?? []);
  const defs = useMemo(() => columns.map(definition), [columns]);
  const own = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const table = useTable({
    features,
    columns: defs,
    data: rows as T[],
    getRowId: rowId,
    state: { sorting },
    onSortingChange: setSorting,
  });
  return (
    <section
      className="relative overflow-x-auto focus-visible:-outline-offset-2"
      aria-label={label}
      tabIndex={0}
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="border-b border-line">
              {group.headers.map(({ id, column }) => {
                const sorted = column.getIsSorted();
                const shown = own.get(column.id);
                return (
                  <th
                    key={id}
                    scope="col"
                    aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
                    className={`px-3 py-2 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4 ${shown?.right ? 'text-right' : 'text-left'} ${shown?.from ? FROM[shown.from] : ''}`}
                  >
                    {column.getCanSort() && !shown?.headerHidden ? (
                      <SortButton
                        sorted={sorted}
                        right={shown?.right === true}
                        onSort={column.getToggleSortingHandler()}
                      >
                        {shown?.header}
                      </SortButton>
                    ) : (
                      <span className={shown?.headerHidden ? 'sr-only' : 'inline-block align-middle'}>
                        {shown?.header}
                      </span>
                    )}
                  </th>
                );
              })}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map(({ id, original }) => (
            <Row
              key={id}
              row={original}
              columns={columns as readonly Column<object>[]}
              isFaded={isFaded?.(original) === true}
              dense={dense}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SortButton({
  sorted,
  right,
  onSort,
  children,
}: {
  sorted: false | 'asc' | 'desc';
  right: boolean;
  onSort: ((event: unknown) => void) | undefined;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      onClick={onSort}
      className={`inline-flex items-center gap-1 rounded-sm align-middle hover:text-ink ${right ? 'flex-row-reverse' : ''} ${sorted === false ? '' : 'text-ink'}`}
    >
      {children}
      <Icon
        name={sorted === 'asc' ? 'up' : 'down'}
        size={12}
        className={sorted === false ? 'invisible' : ''}
      />
    </button>
  );
}

interface RowProps {
  readonly row: object;
  readonly columns: readonly Column<object>[];
  readonly isFaded: boolean;
  readonly dense: boolean;
}

/** Rendered again only if it changed: lists grow, and live ones do so several times a second. */
const Row = memo(function Row({ row, columns, isFaded, dense }: RowProps) {
  return (
    <tr className={`border-b border-line last:border-b-0 hover:bg-hover ${isFaded ? 'text-muted' : ''}`}>
      {columns.map(({ id, right = false, from, cell }) => (
        <td
          key={id}
          className={`px-3 align-middle first:pl-4 last:pr-4 ${dense ? 'py-1.5' : 'py-2.5'} ${right ? 'tabular text-right whitespace-nowrap' : ''} ${from ? FROM[from] : ''}`}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  );
});

function definition<T extends object>({ id, sortBy }: Column<T>): ColumnDef<Features, T> {
  if (sortBy === undefined) return { id, enableSorting: false };
  return {
    id,
    accessorFn: sortBy,
    enableSorting: true,
    sortFn: (one, other, columnId) => compare(one.getValue(columnId), other.getValue(columnId)),
    sortDescFirst: false,
  };
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), undefined, { numeric: true });
}
