import { reading, registering } from './against-bare.ts';
import { Host } from './host.ts';
import { live } from './live.ts';
import { holds, type Ratio, row } from './numbers.ts';
import { withSize } from './with-size.ts';

const parts = { reading, size: withSize, live, registering };

/** Prints each ratio with its limit; answers whether all hold. `only`: the parts that are wanted, all where none is named. */
export async function bench(only: readonly string[] = []): Promise<boolean> {
  const host = new Host();
  const ratios: Ratio[] = [];
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (only.length > 0 && !only.includes(name)) continue;
      for await (const ratio of part(host)) {
        ratios.push(ratio);
        console.log(row(ratio));
      }
    }
  } finally {
    await host.stop();
  }
  return ratios.length > 0 && ratios.every(holds);
}
