"""The certificate: a report as a document that can be signed, with the digests of the files that it is about.

Its parts are in the order of ISO/IEC 27559: context, data, adversarial tests, mitigation, governance. It holds what the
report holds, and the digests; so the public certificate holds nothing that the public report may not.
"""

from tacit.report.certificate.contents import FileDigest, certificate_contents
from tacit.report.certificate.rendering import CertificateFailed, render

__all__ = ["CertificateFailed", "FileDigest", "certificate_contents", "render"]
