import type { PickupKey } from '@hatchway/contract/pickup.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { api } from './api.ts';
import { createFollower, type Followed, type Follower } from './follower.ts';
import { becomeStand } from './session.ts';

/** Follows the occupation of a key while the page is shown. The key of a mounted page never changes. */
export function useFollower(key: PickupKey): [Followed, Follower] {
  const [follower, setFollower] = useState(() => createFollower(api, key));
  useEffect(() => {
    // React may run an effect twice over one state; a stopped follower does not start again, so a new one takes its place.
    const own = createFollower(api, key);
    setFollower(own);
    const seen = () => own.sleep(document.hidden);
    const again = () => own.look();
    document.addEventListener('visibilitychange', seen);
    for (const back of ['online', 'pageshow']) addEventListener(back, again);
    own.look();
    return () => {
      document.removeEventListener('visibilitychange', seen);
      for (const back of ['online', 'pageshow']) removeEventListener(back, again);
      own.stop();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- see above: one key a page
  }, []);
  const followed = useSyncExternalStore(follower.subscribe, follower.get);
  // The use of an access link whose door stayed shut is given back, and the link goes on.
  const link = 'link' in key && followed.gone === 'gone' ? key.link : null;
  useEffect(() => {
    if (link !== null) becomeStand({ page: 'link', token: link });
  }, [link]);
  return [followed, follower];
}
