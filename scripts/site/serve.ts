/** A server for looking at the site: loopback only, from memory. */
import { createServer, type Server } from 'node:http'
import { extname } from 'node:path'
import type { Site } from './build.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

export const siteServer = ({ files }: Site): Server =>
  createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname.slice(1)
    const name = path === '' ? 'index.html' : path
    const file = files.get(name)
    if (file === undefined) return response.writeHead(404, { 'content-type': 'text/plain' }).end('No such page\n')
    const type = types[extname(name)] ?? 'application/octet-stream'
    return response.writeHead(200, { 'content-type': type, 'x-content-type-options': 'nosniff' }).end(file)
  })
