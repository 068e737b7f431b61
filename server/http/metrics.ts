import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Prometheus metrics of this process. Labels are route patterns and closed words, never ids. */
export const createMetrics = () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'hatchway_http_request_seconds',
      help: 'HTTP requests',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 8],
      registers,
    }),
    sockets: new Gauge({ name: 'hatchway_live_sockets', help: 'Open live sockets', registers }),
    commands: new Counter({
      name: 'hatchway_door_commands_total',
      help: 'Door commands by outcome',
      labelNames: ['op', 'outcome'],
      registers,
    }),
    messages: new Counter({
      name: 'hatchway_messages_total',
      help: 'Messages by channel and state',
      labelNames: ['channel', 'state'],
      registers,
    }),
    newAddressesHeld: new Counter({
      name: 'hatchway_new_addresses_held_total',
      help: 'Messages to new addresses beyond what a company may write to in an hour: they wait',
      registers,
    }),
    jobs: new Counter({ name: 'hatchway_jobs_total', help: 'Jobs by name and result', labelNames: ['name', 'result'], registers }),
  };
};
