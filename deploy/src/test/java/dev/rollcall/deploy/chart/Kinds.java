package dev.rollcall.deploy.chart;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1DaemonSet;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The types of the chart's manifests, as Kubernetes' own client has them. */
final class Kinds {
  private static final Map<String, Class<?>> TYPES =
      Map.ofEntries(
          Map.entry("ConfigMap", V1ConfigMap.class),
          Map.entry("DaemonSet", V1DaemonSet.class),
          Map.entry("NetworkPolicy", V1NetworkPolicy.class),
          Map.entry("Pod", V1Pod.class),
          Map.entry("PodDisruptionBudget", V1PodDisruptionBudget.class),
          Map.entry("Service", V1Service.class),
          Map.entry("ServiceAccount", V1ServiceAccount.class),
          Map.entry("StatefulSet", V1StatefulSet.class));

  /**
   * Of others: their types are in no library that is to be had, and tests of their own hold them.
   */
  private static final Set<String> OF_OTHERS =
      Set.of("Certificate", "PodMonitor", "PrometheusRule", "ServiceMonitor");

  private static final Gson GSON = new Gson();

  private Kinds() {}

  /**
   * What in a manifest its type does not have: it is read as that type and written again, and what
   * is not there then was not understood.
   */
  static Optional<String> problem(Manifest manifest) {
    if (OF_OTHERS.contains(manifest.at("kind").text())) {
      return Optional.empty();
    }
    Class<?> type = TYPES.get(manifest.at("kind").text());
    if (type == null) {
      return Optional.of("no type is known for it");
    }
    JsonElement written = GSON.toJsonTree(manifest.content());
    try {
      JsonElement read = JSON.getGson().toJsonTree(JSON.getGson().fromJson(written, type));
      return lost("", written, read);
    } catch (JsonParseException | IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<String> lost(String path, JsonElement written, JsonElement read) {
    if (written instanceof JsonObject object) {
      for (var entry : object.entrySet()) {
        String below = path + "." + entry.getKey();
        JsonElement kept = read instanceof JsonObject known ? known.get(entry.getKey()) : null;
        if (kept == null && !isEmpty(entry.getValue())) {
          return Optional.of(below + " is not known");
        }
        Optional<String> deeper =
            kept == null ? Optional.empty() : lost(below, entry.getValue(), kept);
        if (deeper.isPresent()) {
          return deeper;
        }
      }
      return Optional.empty();
    }
    if (written.isJsonArray()) {
      for (int i = 0; i < written.getAsJsonArray().size(); i++) {
        Optional<String> deeper =
            lost(
                path + "[" + i + "]",
                written.getAsJsonArray().get(i),
                read.getAsJsonArray().get(i));
        if (deeper.isPresent()) {
          return deeper;
        }
      }
      return Optional.empty();
    }
    boolean same = written instanceof JsonPrimitive && same(written, read);
    return same ? Optional.empty() : Optional.of(path + " is " + written + ", and read as " + read);
  }

  private static boolean isEmpty(JsonElement value) {
    return value.isJsonNull() || (value instanceof JsonObject object && object.isEmpty());
  }

  /** 440 is 440.0 to some reader, and 300Mi what a quantity makes of it. */
  private static boolean same(JsonElement written, JsonElement read) {
    return written.equals(read)
        || (written.getAsJsonPrimitive().isNumber()
            && read.isJsonPrimitive()
            && written.getAsDouble() == read.getAsDouble());
  }
}
