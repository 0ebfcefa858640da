import { isDeepStrictEqual } from 'node:util'
import { resultCodeOf, sheetType, type Endpoint, type Refusal } from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import { z } from 'zod'

type JsonSchema = Record<string, unknown>

/** Where a schema names its parts, and where the parts of all schemas are in the document. */
const [ownParts, partsOfDocument] = ['#/$defs/', '#/components/schemas/']

/** The schema of a type; parts that contain themselves are added to `parts`, by their names. */
function schemaOf(type: z.ZodType, io: 'input' | 'output', parts: Record<string, JsonSchema>): JsonSchema {
  const made = z.toJSONSchema(type, { io, unrepresentable: 'any', reused: 'inline', cycles: 'ref' })
  const {
    $schema: _,
    $defs,
    ...schema
  } = JSON.parse(JSON.stringify(made).replaceAll(`"${ownParts}`, `"${partsOfDocument}`)) as JsonSchema & {
    $defs?: Record<string, JsonSchema>
  }
  for (const [name, part] of Object.entries($defs ?? {})) {
    if (parts[name] && !isDeepStrictEqual(parts[name], part))
      throw new Error(`two schemas are called ${name}`)
    parts[name] = part
  }
  return schema
}

const pathParameter = /:(\w+)/g

function refusalTexts(endpoint: Endpoint): string {
  const ofDoor: Refusal[] =
    'open' in endpoint ? ['invalidInput'] : ['tokenInvalid', 'tokenExpired', 'noAccess', 'invalidInput']
  return [...ofDoor, ...endpoint.refuses]
    .map((name) => `\`${resultCodeOf[name]}\` ${translate('en', `refusals.${name}`)}`)
    .join('; ')
}

function operationOf(
  name: string,
  verb: string,
  endpoint: Endpoint,
  parts: Record<string, JsonSchema>,
): JsonSchema {
  const input = schemaOf(endpoint.input, 'input', parts) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  const inPath = new Set([...endpoint.path.matchAll(pathParameter)].map(([, parameter]) => parameter))
  const needs =
    'open' in endpoint ? `Open: ${endpoint.open}.` : `Needs: ${[endpoint.needs].flat().join(' or ')}.`
  return {
    operationId: `${name}${verb === endpoint.verb ? '' : `_${verb}`}`,
    summary: endpoint.summary,
    description: `${needs} Refuses with ${refusalTexts(endpoint)}.`,
    tags: [endpoint.path.split('/')[2]],
    ...('open' in endpoint ? { security: [] } : {}),
    parameters: Object.entries(input.properties ?? {}).map(([field, schema]) => ({
      name: field,
      in: inPath.has(field) ? 'path' : 'query',
      required: inPath.has(field) || (input.required?.includes(field) ?? false),
      schema,
    })),
    responses: {
      200: {
        description: 'The envelope',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['success', 'resultCode', 'message', 'data'],
              properties: {
                success: { type: 'boolean' },
                resultCode: { type: 'string' },
                message: { type: 'string' },
                data: schemaOf(endpoint.data, 'output', parts),
              },
            },
          },
          ...(endpoint.file ? { [endpoint.file]: { schema: { type: 'string', format: 'binary' } } } : {}),
          ...(endpoint.sheet
            ? {
                [sheetType]: {
                  schema: { type: 'string', format: 'binary' },
                },
              }
            : {}),
        },
      },
    },
  }
}

/** The OpenAPI 3.1 document of the calls, made from the contract. */
export function openApiDocument(endpoints: Record<string, Endpoint>, serverUrl: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  const schemas: Record<string, JsonSchema> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(pathParameter, '{$1}')
    for (const verb of [endpoint.verb, ...(endpoint.also ?? [])]) {
      paths[path] ??= {}
      paths[path][verb.toLowerCase()] = operationOf(name, verb, endpoint, schemas)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chairside',
      version: '1',
      description:
        'Every answer is the envelope `{success, resultCode, message, data}` with HTTP 200, refused or not. Calls that change something take their fields from the query, a JSON body or a form body.',
    },
    servers: [{ url: serverUrl }],
    security: [{ token: [] }],
    components: {
      schemas,
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'x-access-token' } },
    },
    paths,
  }
}
