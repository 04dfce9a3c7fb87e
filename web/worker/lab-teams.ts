/**
 * Brings workers together that train one model: opens them, connects all of them by channels, and tells the lead who is gone. It has no
 * part in their steps. Loaded when the first trainer asks.
 */
import type { TiedError } from '../core/runtime/errors.js';
import type { LabClient } from './lab-client.js';
import { CORE_TARGET, type TeamNews } from './protocol.js';
import { channelsBetween } from './team/channels.js';
import type { PoolMember, WorkerPool } from './worker-pool.js';

/** The worker of a trainer that asks. */
export interface LeadWorker {
  readonly client: LabClient;
  readonly closed: Promise<TiedError>;
}

let teams = 0;

export class LabTeams {
  readonly #pool: WorkerPool;
  readonly #threads: number;
  readonly #teams = new WeakMap<LabClient, Map<number, Team>>();

  /** `threads`: the most for one trainer. */
  constructor(pool: WorkerPool, threads: number) {
    this.#pool = pool;
    this.#threads = threads;
  }

  /** What the trainer `target` reports. */
  async hear(lead: LeadWorker, target: number, news: TeamNews): Promise<void> {
    const { client } = lead;
    const ofWorker = this.#teams.get(client) ?? new Map<number, Team>();
    this.#teams.set(client, ofWorker);
    const team = ofWorker.get(target);
    if ('left' in news) {
      for (const place of news.left) team?.leave(place);
    } else if (!team) {
      const made = new Team(this.#pool, lead, target, () => ofWorker.delete(target));
      ofWorker.set(target, made);
      await made.form(Math.min(news.wants, this.#threads - 1), news);
    }
  }
}

class Team {
  readonly #pool: WorkerPool;
  readonly #lead: LabClient;
  readonly #target: number;
  readonly #ended: () => void;
  readonly #id = ++teams;
  /** By place; the lead's is 0. */
  readonly #members = new Map<number, PoolMember>();
  /** Those that were lost before they had a place. */
  readonly #gone = new Set<PoolMember>();
  #connected = false;
  #over = false;

  constructor(pool: WorkerPool, lead: LeadWorker, target: number, ended: () => void) {
    this.#pool = pool;
    this.#lead = lead.client;
    this.#target = target;
    this.#ended = ended;
    const end = (): void => this.#end();
    lead.client.whenReleased(target, end);
    void lead.closed.then(end);
  }

  async form(most: number, { model }: Extract<TeamNews, { wants: number }>): Promise<void> {
    const members = await this.#pool.lend(most, (member) => this.#lose(member));
    for (const [i, member] of members.entries()) {
      this.#members.set(i + 1, member);
      void member.closed.then(() => this.#lose(member));
      if (this.#gone.has(member)) this.leave(i + 1);
    }
    try {
      await Promise.all([
        this.#lead.prepare('save', this.#target),
        ...members.map(async ({ client }) => {
          await client.prepare('createTrainer', CORE_TARGET, [{ model }]);
          await client.prepare('loadTrainer', CORE_TARGET);
        }),
      ]);
      this.#connect();
    } catch {
      // Without these modules, as without partners.
      this.#end();
    }
  }

  /** Gives all members ports to each other. */
  #connect(): void {
    const places = [...this.#members.keys()];
    if (this.#over || places.length === 0) {
      this.#end();
      return;
    }
    const ports = channelsBetween([0, ...places]);
    const connections = (place: number) => ({
      places: [...ports.get(place)!.keys()],
      ports: [...ports.get(place)!.values()],
    });
    this.#connected = true;
    for (const [place, { client }] of this.#members)
      client.order({ kind: 'follow', team: this.#id, place, ...connections(place) });
    this.#lead.order({ kind: 'lead', target: this.#target, ...connections(0) });
  }

  /** This worker has stopped, or others need it. */
  #lose(member: PoolMember): void {
    this.#gone.add(member);
    for (const [place, other] of this.#members) {
      if (other !== member) continue;
      if (this.#connected) this.#lead.order({ kind: 'lost', target: this.#target, place });
      this.leave(place);
    }
  }

  /** The lead no longer needs the member at this place. */
  leave(place: number): void {
    const member = this.#members.get(place);
    if (!member) return;
    this.#members.delete(place);
    member.client.order({ kind: 'leave', team: this.#id });
    void this.#pool.release(member);
    if (this.#members.size === 0) this.#end();
  }

  #end(): void {
    if (!this.#over) this.#ended();
    this.#over = true;
    for (const place of [...this.#members.keys()]) this.leave(place);
  }
}
