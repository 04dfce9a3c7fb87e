/**
 * The script in a report. A report opens from disk, where neither modules nor fetch work, so this is a classic script
 * beside its data.
 */
import { define } from '../../shared/define.js';
import { LineChartView } from '../../shared/line-chart-view.js';
import { ExperimentReport } from './report.js';
import { unpack, type PackedReport } from './report-data.js';
import { reportStrings } from './report.strings.js';

define('tied-line-chart', LineChartView);
define('tied-experiment-report', ExperimentReport);

const main = document.querySelector('main')!;
try {
  const report = document.createElement('tied-experiment-report') as ExperimentReport;
  report.report = unpack(JSON.parse(document.getElementById('records')?.textContent ?? '') as PackedReport);
  main.replaceChildren(report);
} catch (error) {
  main.textContent = `${reportStrings.noData} ${String(error)}`;
}
