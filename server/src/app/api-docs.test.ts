import { endpoints, type Endpoint } from '@chairside/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mountApiDocs } from './api-docs.ts'

interface Operation {
  operationId: string
  summary: string
  description: string
  security?: unknown[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  responses: { 200: { content: Record<string, { schema: { properties?: { data?: object } } }> } }
}

const calls = Object.entries(endpoints) as [string, Endpoint][]
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

interface OpenApiDocument {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
}

let app: FastifyInstance
let document: OpenApiDocument
beforeAll(async () => {
  app = Fastify()
  mountApiDocs(app, 'https://chairs.example.com')
  document = (await app.inject('/docs/api/openapi.json')).json()
})
afterAll(() => app.close())

const operationsOf = ({ verb, also = [], path }: Endpoint) =>
  [verb, ...also].map((one) => document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[one.toLowerCase()])

describe('the page', () => {
  it('has its script from us', async () => {
    const page = await app.inject('/docs/api')
    const [, address = ''] = /<script src="([^"]+)"/.exec(page.body) ?? []
    const script = await app.inject(address)
    expect(script.statusCode).toBe(200)
    expect(script.headers['content-type']).toContain('text/javascript')
    expect(script.body.length).toBeGreaterThan(1_000_000)
  })
})

describe('the OpenAPI document', () => {
  it('has all that it refers to', () => {
    const named = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
      ([, reference = '']) => reference,
    )
    expect(named.length).toBeGreaterThan(0)
    for (const reference of new Set(named)) {
      const [root, ...way] = reference.split('/')
      const found = way.reduce<unknown>(
        (at, key) => (at as Record<string, unknown> | undefined)?.[key],
        document,
      )
      expect([root, typeof found], reference).toEqual(['#', 'object'])
    }
  })

  it('is of version 3.1 and of this installation', () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.servers).toEqual([{ url: 'https://chairs.example.com' }])
  })

  it('has every call of the contract by every verb it is served under, and nothing else', () => {
    const missing = calls.filter(([, endpoint]) => operationsOf(endpoint).includes(undefined))
    expect(missing.map(([name]) => name)).toEqual([])
    const written = Object.values(document.paths).flatMap((verbs) => Object.values(verbs))
    expect(written).toHaveLength(calls.reduce((sum, [, { also = [] }]) => sum + 1 + also.length, 0))
    expect(new Set(written.map(({ operationId }) => operationId)).size).toBe(written.length)
  })

  it('tells of each call what it takes, who may, what it answers and what it refuses', () => {
    for (const [name, endpoint] of calls) {
      for (const operation of operationsOf(endpoint)) {
        if (!operation) continue
        expect(operation.summary, name).not.toBe('')
        expect(operation.parameters.map((parameter) => parameter.name).toSorted(), name).toEqual(
          Object.keys(endpoint.input.shape).toSorted(),
        )
        const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
        expect(inPath.map((parameter) => `${parameter.name} ${parameter.required}`).toSorted(), name).toEqual(
          [...endpoint.path.matchAll(/:(\w+)/g)].map(([, field]) => `${field} true`).toSorted(),
        )
        expect('open' in endpoint, name).toBe(operation.security?.length === 0)
        expect(operation.description, name).toMatch(/Refuses with `\d+` /)
        const { content } = operation.responses[200]
        expect(content['application/json']?.schema.properties?.data, name).toBeTypeOf('object')
        expect(sheetType in content, name).toBe(endpoint.sheet !== undefined || endpoint.file === sheetType)
      }
    }
  })
})

describe('the page of the document', () => {
  it('fetches nothing from another host and runs no script of its own', async () => {
    const page = await app.inject('/docs/api')
    expect(page.headers['content-security-policy']).toMatch(
      /default-src 'self'; script-src 'self' 'unsafe-eval';/,
    )
    expect(page.body).not.toMatch(/(?:src|href|url)="https?:/)
    const script = await app.inject('/docs/api/reference.js')
    expect(script.statusCode).toBe(200)
    expect(script.body.length).toBeGreaterThan(100_000)
  })
})
