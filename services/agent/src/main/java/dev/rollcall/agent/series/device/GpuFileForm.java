package dev.rollcall.agent.series.device;

import dev.rollcall.model.JobId;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files that an exporter reads: their names, and what is in them. */
public enum GpuFileForm {
  /**
   * Of NVIDIA's dcgm-exporter: {@code GPU} or {@code GPU.INSTANCE}, with a job's id in each line.
   * NVML counts GPUs in the order of their buses.
   */
  DCGM {
    @Override
    Optional<String> name(KnownGpus known, JobDevice device) {
      int place = List.copyOf(known.nvidia().values()).indexOf(device.whole());
      String instance =
          device.gpuInstance().isPresent() ? "." + device.gpuInstance().getAsInt() : "";
      return place < 0 ? Optional.empty() : Optional.of(place + instance);
    }

    @Override
    String text(String name, JobId job, Map<String, String> variables) {
      return job + "\n";
    }

    @Override
    String together(String earlier, String later) {
      return earlier + later;
    }
  },

  /**
   * Of AMD's device-metrics-exporter: the GPU's number, with a JSON object of variables. It knows
   * one job for each GPU.
   */
  AMD {
    private static final List<String> VARIABLES =
        List.of("SLURM_JOB_USER", "SLURM_JOB_PARTITION", "SLURM_CLUSTER_NAME");

    @Override
    Optional<String> name(KnownGpus known, JobDevice device) {
      return Optional.of(device)
          .filter(known.render()::containsValue)
          .map(it -> String.valueOf(it.minor().orElseThrow() - KnownGpus.FIRST_RENDER));
    }

    @Override
    String text(String name, JobId job, Map<String, String> variables) {
      var object =
          new JsonObject().put("SLURM_JOB_ID", job.toString()).put("CUDA_VISIBLE_DEVICES", name);
      VARIABLES.forEach(each -> object.put(each, variables.getOrDefault(each, "")));
      return object.encode() + "\n";
    }

    @Override
    String together(String earlier, String later) {
      return later;
    }
  };

  /** Empty for a device that the exporter does not have. */
  abstract Optional<String> name(KnownGpus known, JobDevice device);

  abstract String text(String name, JobId job, Map<String, String> variables);

  /** Of two jobs with the same GPU. */
  abstract String together(String earlier, String later);
}
