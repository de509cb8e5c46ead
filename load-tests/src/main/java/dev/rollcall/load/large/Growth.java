package dev.rollcall.load.large;

import java.util.ArrayList;
import java.util.List;

/** Fits a power of the size to measured points. */
final class Growth {
  private record Point(double size, double value) {}

  private final List<Point> points = new ArrayList<>();

  /** Values that are not positive are left out: noise was more than what is measured. */
  void add(double size, double value) {
    if (size > 0 && value > 0) {
      points.add(new Point(size, value));
    }
  }

  int points() {
    return points.size();
  }

  /** The slope of the least squares line through the logarithms; NaN for less than two points. */
  double exponent() {
    double x = points.stream().mapToDouble(p -> Math.log(p.size)).average().orElse(Double.NaN);
    double y = points.stream().mapToDouble(p -> Math.log(p.value)).average().orElse(Double.NaN);
    double products = 0;
    double squares = 0;
    for (Point point : points) {
      double dx = Math.log(point.size) - x;
      products += dx * (Math.log(point.value) - y);
      squares += dx * dx;
    }
    return squares == 0 ? Double.NaN : products / squares;
  }

  /** The value at a size, by the slope of the straight line through the points. */
  double perOne() {
    double x = points.stream().mapToDouble(Point::size).average().orElse(Double.NaN);
    double y = points.stream().mapToDouble(Point::value).average().orElse(Double.NaN);
    double products = 0;
    double squares = 0;
    for (Point point : points) {
      products += (point.size - x) * (point.value - y);
      squares += (point.size - x) * (point.size - x);
    }
    return squares == 0 ? y / x : products / squares;
  }
}
