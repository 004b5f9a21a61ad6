import { type Floor, noParents } from './floor.ts'

const http = ['fastify', '@fastify/*', 'fastify-*']
const database = ['kysely', 'pg', 'pg-boss']

const serverRooms = [
  'routes',
  'http',
  'jobs',
  'live',
  'presenters',
  'services',
  'repositories',
  'policies',
  'mail',
  'drivers',
  'db',
]

type ServerRoom = {
  room: string
  /** Other rooms that it may import. */
  rooms?: string[]
  /** Single files of other rooms that it may import. */
  files?: string[]
  /** Packages, and `#deps.ts`, that it may not import. */
  excluded: string[]
  message: string
}

const serverRoom = ({ room, rooms = [], files = [], excluded, message }: ServerRoom): Floor => ({
  folder: `apps/server/src/${room}`,
  refusals: [
    noParents,
    {
      group: [
        ...serverRooms
          .filter((other) => other !== room && !rooms.includes(other))
          .map((other) => `#${other}/**`),
        '#app.ts',
        '#build-deps.ts',
        '#main.ts',
        '#commands/**',
        ...excluded,
        ...files.map((file) => `!${file}`),
      ],
      message,
    },
  ],
})

export const serverFloors: readonly Floor[] = [
  {
    room: 'db',
    excluded: ['#deps.ts', ...http, 'pg-boss'],
    message: 'db/ is the lowest room of the server: contract and errors only.',
  },
  {
    room: 'drivers',
    rooms: ['db'],
    excluded: ['#deps.ts', ...http, 'pg-boss'],
    message: 'drivers/ are the outside world behind small interfaces: contract, errors and types of db only.',
  },
  {
    room: 'policies',
    excluded: ['#deps.ts', ...http, ...database],
    message: 'policies/ are pure functions of values, who may do what: contract and errors only.',
  },
  {
    room: 'repositories',
    rooms: ['policies', 'db'],
    files: ['#drivers/leases.ts'],
    excluded: ['#deps.ts', ...http, 'pg-boss'],
    message: 'repositories/ are SQL and return rows: contract, errors, db and policies only.',
  },
  {
    room: 'services',
    rooms: ['repositories', 'policies', 'mail', 'drivers', 'db'],
    excluded: [...http, 'pg-boss', 'pg', 'ws'],
    message:
      'services/ know neither HTTP nor jobs nor sockets: start later work through the interface JobQueue ' +
      'and announce changes through StatusBus (drivers/).',
  },
  {
    room: 'presenters',
    rooms: ['services', 'repositories', 'policies', 'db'],
    excluded: [...http, ...database],
    message: 'presenters/ turn a row into the shape of the API and do nothing else.',
  },
  {
    room: 'routes',
    rooms: ['http', 'presenters', 'services', 'policies'],
    files: ['#drivers/tokens.ts'],
    excluded: database,
    message:
      'routes/ call a service and present what it returns: services, presenters, http and contract only.',
  },
  {
    room: 'http',
    rooms: ['services', 'repositories', 'policies', 'drivers', 'db'],
    excluded: database,
    message: 'http/ is what every request passes: it knows no route, presenter, job or socket.',
  },
  {
    room: 'jobs',
    rooms: ['services', 'policies', 'mail', 'drivers', 'db'],
    excluded: http,
    message: 'jobs/ call services (and their own queue), nothing of HTTP or sockets.',
  },
  {
    room: 'live',
    rooms: ['services', 'policies', 'mail', 'drivers', 'db'],
    files: ['#http/caller-address.ts'],
    excluded: ['pg-boss'],
    message: 'live/ sends changes to sockets: services, policies and contract only.',
  },
].map(serverRoom)
