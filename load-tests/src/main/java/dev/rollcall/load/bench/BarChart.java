package dev.rollcall.load.bench;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/** Draws cases of one unit as bars: ours, the peer's and the floor, on a logarithmic scale. */
final class BarChart {
  private BarChart() {}

  /**
   * One picture for each unit.
   *
   * @return the PNG files
   */
  static List<Path> draw(BenchReport report, Path folder) {
    List<BenchCase> drawable =
        report.cases().stream().filter(one -> one.ours().value() > 0).toList();
    List<String> units = drawable.stream().map(BenchCase::unit).distinct().toList();
    var drawn = new ArrayList<Path>();
    for (String unit : units) {
      List<BenchCase> cases = drawable.stream().filter(one -> one.unit().equals(unit)).toList();
      String file = report.name() + (units.size() == 1 ? "" : "-" + (drawn.size() + 1)) + ".png";
      drawn.add(save(chart(report.name(), unit, cases), folder.resolve(file)));
    }
    return drawn;
  }

  private static CategoryChart chart(String name, String unit, List<BenchCase> cases) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(Math.max(640, 180 * cases.size()))
            .height(480)
            .title(name)
            .yAxisTitle(unit)
            .build();
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(least(cases) / 2);
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setXAxisLabelRotation(cases.size() > 4 ? 30 : 0);
    chart.getStyler().setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
    List<String> names = cases.stream().map(BenchCase::name).toList();
    add(chart, "ours", names, cases, one -> Optional.of(one.ours()));
    add(chart, "peer", names, cases, BenchCase::peer);
    add(chart, "floor", names, cases, BenchCase::floor);
    return chart;
  }

  private static double least(List<BenchCase> cases) {
    return cases.stream()
        .flatMap(one -> Stream.of(Optional.of(one.ours()), one.peer(), one.floor()))
        .flatMap(Optional::stream)
        .mapToDouble(Figure::value)
        .filter(value -> value > 0)
        .min()
        .orElseThrow();
  }

  private static void add(
      CategoryChart chart,
      String series,
      List<String> names,
      List<BenchCase> cases,
      Function<BenchCase, Optional<Figure>> which) {
    // A place without a bar is null: a logarithmic scale has no zero.
    var values = new ArrayList<@Nullable Double>();
    for (BenchCase one : cases) {
      values.add(which.apply(one).map(Figure::value).filter(value -> value > 0).orElse(null));
    }
    if (values.stream().anyMatch(Objects::nonNull)) {
      chart.addSeries(series, names, values);
    }
  }

  private static Path save(CategoryChart chart, Path file) {
    var picture =
        new BufferedImage(chart.getWidth(), chart.getHeight(), BufferedImage.TYPE_INT_RGB);
    Graphics2D pen = picture.createGraphics();
    try {
      chart.paint(pen, chart.getWidth(), chart.getHeight());
      ImageIO.write(picture, "png", file.toFile());
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    } finally {
      pen.dispose();
    }
  }
}
