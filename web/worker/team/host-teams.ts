/** The teams that a worker's trainers are part of: those that lead one, and the copies of trainers in other workers. */
import type { CoreTrainer } from '../../core/training/trainer.js';
import { sharedSteps, shardsOf } from '../../core/training/shared-steps.js';
import type { OnTeamNews, TeamOrder } from '../protocol.js';
import { Follower } from './follower.js';
import { Lead } from './lead.js';

export class HostTeams {
  readonly #load: (file: Uint8Array) => CoreTrainer;
  readonly #report: OnTeamNews;
  readonly #leads = new Map<number, Lead>();
  readonly #followers = new Map<number, Follower>();

  /** `load`: makes a copy of its file. */
  constructor(load: (file: Uint8Array) => CoreTrainer, report: OnTeamNews) {
    this.#load = load;
    this.#report = report;
  }

  /** Lets a trainer ask for partners, if its batches have parts. */
  add(id: number, trainer: CoreTrainer): void {
    if (shardsOf(trainer.training) === 1) return;
    const lead = new Lead(sharedSteps(trainer), {
      ask: (most) => this.#report(id, { wants: most, model: trainer.model }),
      leave: (places) => this.#report(id, { left: places }),
    });
    trainer.partners = lead;
    this.#leads.set(id, lead);
  }

  /** Forgets a trainer that was disposed of. */
  remove(id: number): void {
    this.#leads.delete(id);
  }

  obey(order: TeamOrder): void {
    switch (order.kind) {
      case 'lead': {
        const lead = this.#leads.get(order.target);
        if (lead) lead.connect(portsOf(order));
        else this.#report(order.target, { left: order.places });
        return;
      }
      case 'lost':
        this.#leads.get(order.target)?.lose(order.place);
        return;
      case 'follow':
        this.#followers.set(
          order.team,
          new Follower(order.place, portsOf(order), (file) => sharedSteps(this.#load(file))),
        );
        return;
      case 'leave':
        this.#followers.get(order.team)?.end();
        this.#followers.delete(order.team);
    }
  }
}

const portsOf = ({ places, ports }: { places: readonly number[]; ports: readonly MessagePort[] }) =>
  new Map(places.map((place, i) => [place, ports[i]!]));
