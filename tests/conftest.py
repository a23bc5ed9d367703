"""What all tests share: property tests are judged by what they find, never by how long an example takes."""

from hypothesis import HealthCheck, settings

settings.register_profile("tacit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tacit")
