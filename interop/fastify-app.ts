/** A plain Fastify application that describes itself: nothing of ours, no token asked, errors as Fastify makes them. */
import { fastify, type FastifyInstance } from 'fastify'

interface Note {
  readonly id: string
  readonly text: string
}

const note = {
  type: 'object',
  properties: { id: { type: 'string' }, text: { type: 'string' } },
  required: ['id', 'text'],
} as const

export function fastifyApplication(): FastifyInstance {
  const notes = new Map<string, Note>([['1', { id: '1', text: 'hello' }]])
  const app = fastify()
  app.get('/notes', { schema: { response: { 200: { type: 'array', items: note } } } }, async () => [...notes.values()])
  app.get<{ Params: { id: string } }>('/notes/:id', { schema: { response: { 200: note } } }, async (request, reply) => {
    const found = notes.get(request.params.id)
    return found ?? reply.code(404).send({ message: 'no such note' })
  })
  app.post<{ Body: { text: string } }>(
    '/notes',
    {
      schema: {
        body: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
        response: { 201: note },
      },
    },
    async (request, reply) => {
      const made = { id: String(notes.size + 1), text: request.body.text }
      notes.set(made.id, made)
      return reply.code(201).send(made)
    },
  )
  app.delete<{ Params: { id: string } }>('/notes/:id', async (request, reply) => {
    notes.delete(request.params.id)
    return reply.code(204).send()
  })
  app.get('/openapi.json', async () => document)
  return app
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const body = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }

const document = {
  openapi: '3.0.0',
  info: { title: 'Notes', version: '1.0.0' },
  paths: {
    '/notes': {
      get: { responses: { 200: { description: 'All', ...json({ type: 'array', items: note }) } } },
      post: { requestBody: json(body), responses: { 201: { description: 'Made', ...json(note) } } },
    },
    '/notes/{id}': {
      parameters: [id],
      get: { responses: { 200: { description: 'One', ...json(note) } } },
      delete: { responses: { 204: { description: 'Gone' } } },
    },
  },
}
