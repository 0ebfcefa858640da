import { sql, type RawBuilder } from 'kysely'

/**
 * Whose rows a caller may see (decisions §2). Every SQL function that reads a tenant's table takes one.
 * `path` is the organisation's place in the tree as an ltree text.
 */
export type Scope =
  | { kind: 'platform' }
  | { kind: 'agent'; organisationId: number; path: string }
  | { kind: 'merchant'; merchantId: number }
  | { kind: 'places'; merchantId: number; placeIds: readonly number[] }

/** Scope of background work and of calls that were checked otherwise. */
export const platformScope: Scope = { kind: 'platform' }

/**
 * The condition that keeps a query within a scope.
 * @param columns SQL of the row's merchant and place columns; without a place column a scope of places sees nothing
 */
export function withinScope(
  scope: Scope,
  columns: { merchantId: RawBuilder<unknown>; placeId?: RawBuilder<unknown> },
) {
  switch (scope.kind) {
    case 'platform':
      return sql<boolean>`true`
    case 'agent':
      // By the path of this moment: the agent may be moved between the check of its session and this query.
      return sql<boolean>`${columns.merchantId} in (
        select below.id from organisations below
         where below.path <@ (select path from organisations where id = ${scope.organisationId}))`
    case 'merchant':
      return sql<boolean>`${columns.merchantId} = ${scope.merchantId}`
    case 'places':
      return columns.placeId
        ? sql<boolean>`(${columns.merchantId} = ${scope.merchantId} and ${columns.placeId} = any(${[...scope.placeIds]}::bigint[]))`
        : sql<boolean>`false`
  }
}
