export type Row = Record<string, unknown>;
export type SqlValue = string | number | null;

/** Runs a query with `?` for its values. Returns the rows without a promise if the store need not wait. */
export type Select = (sql: string, ...values: SqlValue[]) => Row[] | Promise<Row[]>;

export interface Query {
  sql: string;
  values: SqlValue[];
}

/** Runs several queries, and returns the rows of each. */
export type Reader = (queries: readonly Query[]) => Promise<Row[][]>;

/** The reads of one org, except look-ups by key. The orgs take turns. */
export type ReadsOf = (orgId: string) => {
  one(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  /** Runs the queries in one turn, because each trip to the database costs more than a query. */
  all: Reader;
};

export const readerOf =
  (select: Select): Reader =>
  (queries) =>
    Promise.all(queries.map(({ sql, values }) => select(sql, ...values)));
