package dev.rollcall.lab.monitoring;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What a Grafana dashboard shows. */
record Panels(JsonObject dashboard) {
  /** The variables of our dashboards, as Grafana writes them into an expression. */
  private static final List<String[]> VARIABLES =
      List.of(
          new String[] {"$__rate_interval", "5m"},
          new String[] {"$__range", "1h"},
          new String[] {"$cluster", ".*"},
          new String[] {"$instance", ".*"},
          new String[] {"$job", ".*"},
          new String[] {"$user", ".*"});

  private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.*),\\s*[a-z_]+\\)");

  /** Those that have figures: rows and texts have none. */
  List<JsonObject> panels() {
    return objects(dashboard.getJsonArray("panels")).stream()
        .filter(panel -> panel.containsKey("targets"))
        .toList();
  }

  /** As Prometheus would be asked, those of the variables too. */
  List<String> expressions() {
    var expressions = new TreeSet<String>();
    for (JsonObject panel : panels()) {
      objects(panel.getJsonArray("targets"))
          .forEach(target -> expressions.add(filled(target.getString("expr"))));
    }
    for (JsonObject variable : variables()) {
      LABEL_VALUES
          .matcher(String.valueOf(variable.getValue("query")))
          .results()
          .forEach(asked -> expressions.add(filled(asked.group(1))));
    }
    return List.copyOf(expressions);
  }

  List<JsonObject> variables() {
    return objects(dashboard.getJsonObject("templating").getJsonArray("list"));
  }

  private static String filled(String expression) {
    String filled = expression;
    for (String[] variable : VARIABLES) {
      filled = filled.replace(variable[0], variable[1]);
    }
    return filled;
  }

  static List<JsonObject> objects(JsonArray array) {
    var objects = new ArrayList<JsonObject>();
    array.forEach(one -> objects.add((JsonObject) one));
    return objects;
  }
}
