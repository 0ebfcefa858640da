import { Counter, type Registry } from 'prom-client'
import type { Gateway } from './gateway.ts'

/** Serves what the gateway counts: reports it took in or dropped, and commands the broker took. */
export function registerGatewayMetrics(registry: Registry, gateway: Gateway): void {
  const counter = (name: string, help: string, labelNames: string[], counted: () => [string, number][]) =>
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset()
        for (const [label, count] of counted())
          this.inc(labelNames[0] ? { [labelNames[0]]: label } : {}, count)
      },
    })
  counter('chairside_gateway_reports_total', 'Reports of boards that were taken in', ['kind'], () =>
    Object.entries(gateway.counts().received),
  )
  counter('chairside_gateway_dropped_total', 'Messages that were dropped, by reason', ['reason'], () =>
    Object.entries(gateway.counts().dropped),
  )
  counter('chairside_gateway_commands_total', 'Commands that the broker took', [], () => [
    ['', gateway.counts().sent],
  ])
}
