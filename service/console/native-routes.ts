import type { Hono } from 'hono';
import { ServiceError } from '../kit/errors.js';
import type { OnNode } from '../http/route.js';
import type { NaturalRoutesOptions } from './natural-routes.js';

const PATH = '/console/api/native-runtime';
const FULL = 'too many installations wait: try again later';
const NO_JOB = 'no installation of the native runtime. Start one first';

/** Adds the routes that install and remove the native runtime (docs/service.md#natural-voices). */
export function mountNativeRuntime(app: Hono<OnNode>, { admit, natural }: NaturalRoutesOptions): void {
  for (const path of [PATH, `${PATH}/*`]) {
    app.use(path, async (context, next) => {
      admit(context);
      await next();
    });
  }
  app.get(PATH, async (context) => context.json(await natural.nativeState()));
  app.on(['POST', 'DELETE'], PATH, (context) => {
    const job = natural.changeNative(context.req.method === 'POST' ? 'install' : 'remove');
    if (job === undefined) throw new ServiceError(503, FULL);
    return context.json(job, 202);
  });
  app.delete(`${PATH}/job`, async (context) => {
    if (!(await natural.cancelNative())) throw new ServiceError(404, NO_JOB);
    return context.body(null, 204);
  });
}
