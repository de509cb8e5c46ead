package dev.rollcall.gateway.describe;

import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;

/**
 * Serves {@code grpc.health.v1.Health} for the whole gateway, which is the service without a name.
 * It says what {@code /health/ready} says.
 */
public final class HealthService {
  private final HealthStatusManager statuses = new HealthStatusManager();

  public HealthService() {
    tell(false);
  }

  public BindableService service() {
    return statuses.getHealthService();
  }

  public void tell(boolean ready) {
    statuses.setStatus(
        HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
        ready ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  }
}
