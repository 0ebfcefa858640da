import { sql, type RawBuilder } from 'kysely'

/** Whose rows a caller may see (decisions §2). Every SQL function that reads a tenant's table takes one. */
export type Scope =
  | { kind: 'platform' }
  | { kind: 'agent'; organisationId: number }
  | { kind: 'merchant'; merchantId: number }
  | { kind: 'places'; merchantId: number; placeIds: readonly number[] }

/** Scope of background work and of calls that were checked otherwise. */
export const platformScope: Scope = { kind: 'platform' }

/**
 * The condition for an organisation at or below a path in the tree, read from the index of paths: labels are numbers, so a
 * letter as the next label sorts after everything below.
 */
export const atOrBelow = (path: RawBuilder<unknown>, top: RawBuilder<unknown>) =>
  sql<boolean>`(${path} >= ${top} and ${path} < ${top} || 'z')`

/** The path of an agent at this moment: it may be moved between the check of its session and a query. */
export const pathOf = (organisationId: number) =>
  sql`(select path from organisations where id = ${organisationId})`

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
      return sql<boolean>`${columns.merchantId} in (
        select below.id from organisations below where ${atOrBelow(sql`below.path`, pathOf(scope.organisationId))})`
    case 'merchant':
      return sql<boolean>`${columns.merchantId} = ${scope.merchantId}`
    case 'places':
      return columns.placeId
        ? sql<boolean>`(${columns.merchantId} = ${scope.merchantId} and ${columns.placeId} = any(${[...scope.placeIds]}::bigint[]))`
        : sql<boolean>`false`
  }
}
