import type { ActionRefusal, DoorBody, HandAction } from './model.ts';

/** The steel: what hands can do to a door. It knows nothing of messages. */
export const newDoor = (no: number): DoorBody => ({
  no,
  open: false,
  locked: true,
  content: null,
  jammed: false,
  occupancySensor: 'truth',
  doorSensor: 'truth',
  cmdId: null,
});

/** A controller's pulse on the lock: the spring pushes the door open, unless something holds it. */
export function release(door: DoorBody): 'opened' | 'jammed' {
  if (door.jammed && !door.open) return 'jammed';
  door.open = true;
  door.locked = false;
  return 'opened';
}

type HandEvent = 'door_opened' | 'door_closed' | 'forced' | null;

/** Changes the door and says what a controller would notice of it, or why that cannot be done. */
export function byHand(door: DoorBody, action: HandAction): { event: HandEvent } | { refusal: ActionRefusal } {
  switch (action.do) {
    case 'open':
      if (door.open) return { refusal: 'already-open' };
      if (door.locked) return { refusal: 'latched' };
      if (door.jammed) return { refusal: 'jammed' };
      door.open = true;
      return { event: 'door_opened' };
    case 'close':
      if (!door.open) return { refusal: 'already-closed' };
      if (door.jammed) return { refusal: 'jammed' };
      Object.assign(door, { open: false, locked: action.latch ?? true });
      return { event: 'door_closed' };
    case 'force':
      if (door.open) return { refusal: 'already-open' };
      Object.assign(door, { open: true, locked: false });
      return { event: 'forced' };
    case 'put':
      if (!door.open) return { refusal: 'closed' };
      if (door.content !== null) return { refusal: 'not-empty' };
      door.content = action.what?.trim() || 'parcel';
      return { event: null };
    case 'take':
      if (!door.open) return { refusal: 'closed' };
      if (door.content === null) return { refusal: 'nothing-inside' };
      door.content = null;
      return { event: null };
    case 'jam':
      door.jammed = action.on;
      return { event: null };
    case 'occupancy-sensor':
      door.occupancySensor = action.says;
      return { event: null };
    case 'door-sensor':
      door.doorSensor = action.says;
      return { event: null };
  }
}

/** What the controller reads, which a lying sensor bends. */
export function sensed(door: DoorBody, occupancySensors: boolean) {
  const open = door.doorSensor === 'truth' ? door.open : door.doorSensor === 'open';
  const occupied = door.occupancySensor === 'truth' ? door.content !== null : door.occupancySensor === 'occupied';
  return {
    door: open ? ('open' as const) : ('closed' as const),
    lock: door.locked ? ('locked' as const) : ('unlocked' as const),
    occupancy: occupancySensors ? (occupied ? ('occupied' as const) : ('empty' as const)) : ('unknown' as const),
  };
}
