export type Row = Record<string, unknown>;
export type SqlValue = string | number | null;

/** Runs a query with `?` for its values. Where the store need not wait, it does not: then it gives the rows themselves. */
export type Select = (sql: string, ...values: SqlValue[]) => Row[] | Promise<Row[]>;
