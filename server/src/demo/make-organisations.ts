import { mobileOf } from './mobile-of.ts'
import { brands, cities, districts } from './names.ts'
import type { DemoOrganisation, NetworkSize } from './network.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Depth of the tree of agents below the platform. */
const agentLevels = 4
const firstOrganisationId = 1001
/** Of the merchant without a city in its name, which the glossary finds by its initials, `hdjd`. */
const indexOfPlainName = brands.findIndex(({ name }) => name === '海底角')

/** Makes the tree of agents, and merchants below them; its last merchant is locked. */
export function makeOrganisations(random: SeededRandom, size: NetworkSize, from: Date): DemoOrganisation[] {
  const organisations: DemoOrganisation[] = []
  const levels: DemoOrganisation[][] = []
  let id = firstOrganisationId
  const add = (
    organisation: Omit<DemoOrganisation, 'id' | 'path' | 'createdAt' | 'mobile' | 'locked'>,
    parentPath: string,
  ) => {
    const made = {
      ...organisation,
      id,
      path: `${parentPath}.${id}`,
      mobile: mobileOf(random),
      createdAt: new Date(from.getTime() - random.between(30, 700) * 86_400_000),
      locked: false,
    }
    organisations.push(made)
    id++
    return made
  }
  const perLevel = [0.12, 0.25, 0.33, 0.3]
  for (let level = 0; level < agentLevels; level++) {
    const count = Math.max(1, Math.round(size.agents * (perLevel[level] ?? 0)))
    const above = levels[level - 1]
    levels.push(
      Array.from({ length: count }, (_, index) => {
        // The chain of the demo logins comes first on every level.
        const parent = above && (index === 0 ? above[0] : random.pick(above))
        const city = cities[(index + level * 3) % cities.length] ?? cities[0]
        const district = districts[(index * 5 + level) % districts.length] ?? ''
        const name =
          level === 0
            ? `${city.name}总代理${index >= cities.length ? index : ''}`
            : `${city.name}${district}代理${index + 1}`
        const userName =
          level === 0 && index === 0
            ? 'agent'
            : level === 1 && index === 0
              ? 'agent-sub-owner'
              : `agent-${city.code}-${level + 1}-${index + 1}`
        return add(
          {
            parentId: parent?.id ?? 1,
            kind: 'agent',
            name,
            address: `${city.name}市${district}区`,
            userName,
          },
          parent?.path ?? '1',
        )
      }),
    )
  }
  const parents = levels.flat()
  const lowest = levels.at(-1) ?? []
  for (let index = 0; index < size.merchants; index++) {
    const parent =
      index === 0
        ? (levels[1]?.[0] ?? random.pick(parents))
        : random.chance(0.75)
          ? random.pick(lowest)
          : random.pick(parents)
    const brand = brands[index % brands.length] ?? brands[0]
    const city = random.pick(cities)
    const named =
      index === 0
        ? '海底角共享按摩（Deep Corner）'
        : `${brand.name}·${city.name}${random.pick(districts)}店${index + 1}`
    const name = index === indexOfPlainName ? `${brand.name}店` : named
    add(
      {
        parentId: parent.id,
        kind: 'merchant',
        name,
        address: `${city.name}市${random.pick(districts)}区`,
        userName: index === 0 ? 'merchant' : `shop-${city.code}-${index + 1}`,
      },
      parent.path,
    )
  }
  const last = organisations.at(-1)
  if (last && size.merchants > 5) last.locked = true
  return organisations
}
