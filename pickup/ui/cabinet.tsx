import type { Pickup } from '@hatchway/contract/pickup.ts';
import { doorPlace } from '../app/phase.ts';

type Props = { cabinet: Pickup['cabinet']; door: Pickup['door'] };
type Box = { x: number; y: number; width: number; height: number; mine: boolean };

/** Doors as boxes in the layout's own millimetres, columns side by side, doors from the top. */
function boxes(columns: Pickup['cabinet']['columns']): { all: Box[]; width: number; height: number } {
  const all: Box[] = [];
  let x = 0;
  let tallest = 0;
  for (const column of columns) {
    let y = 0;
    for (const door of column.doors) {
      all.push({ x, y, width: column.width, height: door.height, mine: door.mine });
      y += door.height;
    }
    x += column.width;
    tallest = Math.max(tallest, y);
  }
  return { all, width: x, height: tallest };
}

/** The cabinet to scale, with the person's door marked; hatched while nobody knows whether it is open. It shows nothing of the other doors than that they are there. */
export function CabinetDrawing({ cabinet, door }: Props) {
  const { all, width, height } = boxes(cabinet.columns);
  if (width === 0 || height === 0 || doorPlace(cabinet.columns) === null) return null;
  // Lines and letters keep their size on paper: one unit is a 320th of the drawing's longer side.
  const unit = Math.max(width, height) / 320;
  const edge = 6 * unit;
  const gap = 2 * unit;
  return (
    <div className="cabinet">
      <svg viewBox={`${-edge} ${-edge} ${width + 2 * edge} ${height + 2 * edge}`} aria-hidden="true">
        <pattern id="unknown" width={unit * 7} height={unit * 7} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="hatch" width={unit * 2} height={unit * 7} />
        </pattern>
        <rect className="frame" x={-edge / 2} y={-edge / 2} width={width + edge} height={height + edge} rx={edge} strokeWidth={unit * 2} />
        {all.map((box) => (
          <rect
            key={`${box.x} ${box.y}`}
            className={box.mine ? `door mine ${door.state}` : 'door'}
            x={box.x + gap}
            y={box.y + gap}
            width={Math.max(box.width - 2 * gap, gap)}
            height={Math.max(box.height - 2 * gap, gap)}
            rx={gap}
            strokeWidth={unit * (box.mine ? 2.5 : 1.2)}
          />
        ))}
        {all
          .filter((box) => box.mine)
          .map((box) => (
            <g key="mine">
              {door.state === 'opened' && <path className="leaf" strokeWidth={unit * 2} d={leafPath(box, gap)} />}
              <text
                className={`tag ${door.state}`}
                x={box.x + box.width / 2}
                y={box.y + box.height / 2}
                fontSize={Math.min(box.height * 0.5, (box.width * 1.4) / Math.max(door.doorTag.length, 3), 40 * unit)}
              >
                {door.doorTag}
              </text>
            </g>
          ))}
      </svg>
    </div>
  );
}

/** An open door, hinged on the left and seen from the front: a narrow leaf that stands out. */
function leafPath(box: Box, gap: number): string {
  const x = box.x + gap;
  const out = box.width * 0.2;
  const rise = Math.min(box.height * 0.14, out);
  const top = box.y + gap;
  const bottom = box.y + box.height - gap;
  return `M${x} ${top} l${-out} ${-rise} V${bottom + rise} L${x} ${bottom} Z`;
}
