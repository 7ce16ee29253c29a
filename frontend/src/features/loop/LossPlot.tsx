import { decimal } from "@/shared/format";
import { strings } from "@/shared/strings";
import classes from "./loop.module.css";

const WIDTH = 480;
const HEIGHT = 170;
const LEFT = 40;
const BOTTOM = 22;

type Point = readonly [step: number, loss: number];

/** Mean of the points around each, so that the line shows the trend; the points themselves stay behind it. */
function smoothed(points: Point[]): Point[] {
  const reach = Math.max(1, Math.floor(points.length / 20));
  return points.map(([step], index) => {
    const around = points.slice(Math.max(0, index - reach), index + reach + 1);
    return [step, around.reduce((sum, [, loss]) => sum + loss, 0) / around.length];
  });
}

export function LossPlot({ curve }: { curve: number[][] }) {
  const points = curve.map(([step = 0, loss = 0]): Point => [step, loss]);
  const steps = points.map(([step]) => step);
  const [first, last] = [Math.min(...steps), Math.max(...steps)];
  const top = Math.max(...points.map(([, loss]) => loss), 0.01) * 1.05;
  const x = (step: number) => LEFT + ((step - first) / Math.max(last - first, 1)) * (WIDTH - LEFT - 8);
  const y = (loss: number) => 8 + (1 - loss / top) * (HEIGHT - BOTTOM - 8);
  const path = (line: Point[]) => line.map(([step, loss], index) => `${index ? "L" : "M"}${x(step).toFixed(1)} ${y(loss).toFixed(1)}`).join("");
  const label = strings.loop.lossPlot(decimal(points[0]?.[1]), decimal(points.at(-1)?.[1]));
  return (
    <svg className={classes.plot} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {[0, top / 2, top].map((loss) => (
        <g key={loss}>
          <line className={classes.grid} x1={LEFT} x2={WIDTH - 8} y1={y(loss)} y2={y(loss)} />
          <text x={LEFT - 8} y={y(loss) + 4} textAnchor="end">{loss.toFixed(2)}</text>
        </g>
      ))}
      <text x={LEFT} y={HEIGHT - 4}>{strings.loop.batch} {first}</text>
      <text x={WIDTH - 8} y={HEIGHT - 4} textAnchor="end">{last}</text>
      <path className={classes.raw} d={path(points)} />
      <path className={classes.trend} d={path(smoothed(points))} />
    </svg>
  );
}
